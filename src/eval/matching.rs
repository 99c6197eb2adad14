//! One-to-one matching, nearest first, and edit distance.

/// Which elements of two lists belong together, by their indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matching {
    /// (index into `a`, index into `b`), in the order of `a`; each index at most once.
    pub pairs: Vec<(usize, usize)>,
    /// Elements of `a` without a partner, in order.
    pub only_a: Vec<usize>,
    /// Elements of `b` without a partner, in order.
    pub only_b: Vec<usize>,
}

/// Pairs the elements of two lists one-to-one, the pair with the least distance first, equal
/// distances in the lists' order; a distance of `None` is a pair that cannot be.
#[must_use]
pub fn match_nearest<A, B>(a: &[A], b: &[B], distance: impl Fn(&A, &B) -> Option<f64>) -> Matching {
    let mut candidates: Vec<(f64, usize, usize)> = Vec::new();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            candidates.extend(distance(x, y).map(|d| (d, i, j)));
        }
    }
    candidates.sort_by(|p, q| p.0.total_cmp(&q.0));
    let (mut partner_of_a, mut taken) = (vec![None; a.len()], vec![false; b.len()]);
    for (_, i, j) in candidates {
        if partner_of_a[i].is_none() && !taken[j] {
            partner_of_a[i] = Some(j);
            taken[j] = true;
        }
    }
    let mut matching = Matching::default();
    for (i, partner) in partner_of_a.into_iter().enumerate() {
        match partner {
            Some(j) => matching.pairs.push((i, j)),
            None => matching.only_a.push(i),
        }
    }
    matching.only_b = (0..b.len()).filter(|j| !taken[*j]).collect();
    matching
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
        for (a, b, pairs, only_a, only_b) in [
            (
                &[0.0, 8.0][..],
                &[7.0][..],
                &[(1, 0)][..],
                &[0][..],
                &[][..],
            ),
            (&[0.0, 8.0], &[7.0, 1.0], &[(0, 1), (1, 0)], &[], &[]),
            (&[0.0], &[20.0], &[], &[0], &[0]),
            (&[5.0], &[5.0, 5.0], &[(0, 0)], &[], &[1]),
            (&[], &[1.0], &[], &[], &[0]),
        ] {
            let want = Matching {
                pairs: pairs.to_vec(),
                only_a: only_a.to_vec(),
                only_b: only_b.to_vec(),
            };
            assert_eq!(match_nearest(a, b, near), want, "{a:?} {b:?}");
        }
    }

    /// The definition, without a table.
    fn reference(a: &[u8], b: &[u8]) -> usize {
        match (a, b) {
            ([], rest) | (rest, []) => rest.len(),
            ([x, a @ ..], [y, b @ ..]) if x == y => reference(a, b),
            ([_, short_a @ ..], [_, short_b @ ..]) => {
                let replaced = reference(short_a, short_b);
                1 + replaced
                    .min(reference(short_a, b))
                    .min(reference(a, short_b))
            }
        }
    }

    fn letters() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(0_u8..4, 0..6)
    }

    fn times() -> impl Strategy<Value = Vec<u32>> {
        proptest::collection::vec(0_u32..40, 0..12)
    }

    proptest! {
        #[test]
        fn edit_distance_is_a_metric(a in letters(), b in letters(), c in letters()) {
            prop_assert_eq!(edit_distance(&a, &b), reference(&a, &b));
            prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
            prop_assert_eq!(edit_distance(&a, &b) == 0, a == b);
            prop_assert!(edit_distance(&a, &c) <= edit_distance(&a, &b) + edit_distance(&b, &c));
        }

        #[test]
        fn matching_is_one_to_one_and_leaves_no_pair(a in times(), b in times()) {
            let near = |x: &u32, y: &u32| (x.abs_diff(*y) < 5).then_some(f64::from(x.abs_diff(*y)));
            let m = match_nearest(&a, &b, near);
            let mut of_a: Vec<usize> = m.pairs.iter().map(|p| p.0).chain(m.only_a.clone()).collect();
            let mut of_b: Vec<usize> = m.pairs.iter().map(|p| p.1).chain(m.only_b.clone()).collect();
            of_a.sort_unstable();
            of_b.sort_unstable();
            prop_assert_eq!(of_a, (0..a.len()).collect::<Vec<_>>());
            prop_assert_eq!(of_b, (0..b.len()).collect::<Vec<_>>());
            for (i, j) in &m.pairs {
                prop_assert!(near(&a[*i], &b[*j]).is_some());
            }
            for i in &m.only_a {
                prop_assert!(m.only_b.iter().all(|j| near(&a[*i], &b[*j]).is_none()));
            }
        }
    }
}
