//! One-to-one matching, nearest first, and edit distance.

/// Pairs (index into `a`, index into `b`) of least distance first, each element once; `None` for
/// pairs that cannot match.
#[must_use]
pub fn match_nearest<A, B>(
    a: &[A],
    b: &[B],
    distance: impl Fn(&A, &B) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            all.extend(distance(x, y).map(|d| (d, i, j)));
        }
    }
    all.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (_, i, j) in all {
        if !pairs.iter().any(|p| p.0 == i || p.1 == j) {
            pairs.push((i, j));
        }
    }
    pairs
}

/// Least number of insertions, deletions and replacements that turn one list into the other.
#[must_use]
pub fn edit_distance<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edit_distances() {
        for (a, b, want) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ac", 1),
            ("ac", "abc", 1),
            ("kitten", "sitting", 3),
            ("", "xyz", 3),
        ] {
            let letters = |s: &str| s.chars().collect::<Vec<_>>();
            assert_eq!(edit_distance(&letters(a), &letters(b)), want, "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_pair_goes_first() {
        let near = |a: &f64, b: &f64| ((a - b).abs() < 10.0).then_some((a - b).abs());
        assert_eq!(match_nearest(&[0.0, 8.0], &[7.0], near), [(1, 0)]);
        assert_eq!(
            match_nearest(&[0.0, 8.0], &[7.0, 1.0], near),
            [(0, 1), (1, 0)]
        );
        assert!(match_nearest(&[0.0], &[20.0], near).is_empty());
    }

    proptest! {
        #[test]
        fn edit_distance_is_a_metric(a: Vec<u8>, b: Vec<u8>, c: Vec<u8>) {
            prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
            prop_assert_eq!(edit_distance(&a, &a), 0);
            prop_assert!(edit_distance(&a, &c) <= edit_distance(&a, &b) + edit_distance(&b, &c));
        }

        #[test]
        fn matching_is_one_to_one(a in proptest::collection::vec(0.0..100.0, 0..12), b in proptest::collection::vec(0.0..100.0, 0..12)) {
            let pairs = match_nearest(&a, &b, |x: &f64, y: &f64| Some((x - y).abs()));
            prop_assert_eq!(pairs.len(), a.len().min(b.len()));
            for (k, p) in pairs.iter().enumerate() {
                prop_assert!(pairs[..k].iter().all(|q| q.0 != p.0 && q.1 != p.1));
            }
        }
    }
}
