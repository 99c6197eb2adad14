//! What a file's container claims: how long the recording is, and whether the file is all there.
//!
//! A count of frames cannot tell a recording that broke off from one that was trimmed: a trimmed
//! MP4 still counts the frames that its edit list hides, and with a variable rate a count may be
//! only a guess. The container's own sizes and times can.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

/// What a container claims, as far as it is understood.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Claims {
    /// Length, milliseconds.
    pub length_ms: Option<f64>,
    /// The file ends before its last part does.
    pub torn: bool,
}

/// Length of a packet of an MPEG transport stream, bytes.
const TS_PACKET: u64 = 188;
/// The first byte of each such packet.
const TS_SYNC: u8 = 0x47;

/// Looks at a file's structure. A file that cannot be read claims nothing.
pub fn claims(path: &Path) -> Claims {
    File::open(path)
        .and_then(|mut file| {
            let length = file.metadata()?.len();
            examine(&mut file, length)
        })
        .unwrap_or_default()
}

fn examine(file: &mut (impl Read + Seek), length: u64) -> std::io::Result<Claims> {
    let mut head = [0; TS_PACKET as usize + 1];
    let got = fill(file, &mut head)?;
    let nothing = Claims::default();
    Ok(match head {
        _ if got < 12 => nothing,
        [b'R', b'I', b'F', b'F', a, b, c, d, ..] => Claims {
            torn: 8 + u64::from(u32::from_le_bytes([a, b, c, d])) > length,
            ..nothing
        },
        [_, _, _, _, b'f', b't', b'y', b'p', ..]
        | [_, _, _, _, b'm', b'o', b'o', b'v', ..]
        | [_, _, _, _, b'm', b'd', b'a', b't', ..]
        | [_, _, _, _, b'w', b'i', b'd', b'e', ..] => boxes(file, length)?,
        [TS_SYNC, .., TS_SYNC] if got == head.len() => Claims {
            torn: !length.is_multiple_of(TS_PACKET),
            ..nothing
        },
        _ => nothing,
    })
}

/// Walks the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12).
fn boxes(file: &mut (impl Read + Seek), length: u64) -> std::io::Result<Claims> {
    let mut claims = Claims::default();
    let mut at = 0_u64;
    while at.saturating_add(8) <= length {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 16];
        let got = fill(file, &mut head)?;
        let [a, b, c, d, k0, k1, k2, k3, large @ ..] = head;
        let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
            // To the end of the file.
            0 => (8, length - at),
            1 if got == head.len() => (16, u64::from_be_bytes(large)),
            size => (8, u64::from(size)),
        };
        if size < header {
            break;
        }
        let next = at.saturating_add(size);
        claims.torn |= next > length;
        match &[k0, k1, k2, k3] {
            // Into it: the boxes inside lie one after the other, then comes what follows it.
            b"moov" => at += header,
            b"mvhd" => {
                file.seek(SeekFrom::Start(at + header))?;
                claims.length_ms = movie_length_ms(file)?;
                at = next;
            }
            _ => at = next,
        }
    }
    Ok(claims)
}

/// Length of the whole presentation, edits applied, from the body of a movie header.
fn movie_length_ms(file: &mut impl Read) -> std::io::Result<Option<f64>> {
    let mut body = [0; 32];
    fill(file, &mut body)?;
    let word = |at: usize| {
        let bytes = body.get(at..at + 4).and_then(|b| b.try_into().ok());
        u64::from(bytes.map_or(0, u32::from_be_bytes))
    };
    let (scale, units) = if body[0] == 1 {
        (word(20), word(24) << 32 | word(28))
    } else {
        (word(12), word(16))
    };
    // Fragmented files say nothing here.
    let known = scale > 0 && units > 0;
    Ok(known.then(|| units as f64 * 1000.0 / scale as f64))
}

/// Reads as much as there is; returns how much that was.
fn fill(file: &mut impl Read, into: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while let Some(rest) = into.get_mut(got..).filter(|r| !r.is_empty()) {
        match file.read(rest)? {
            0 => break,
            n => got += n,
        }
    }
    Ok(got)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn claims_of(bytes: &[u8]) -> Claims {
        examine(&mut Cursor::new(bytes), bytes.len() as u64).unwrap()
    }

    fn part(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let size = (8 + body.len()) as u32;
        [&size.to_be_bytes(), &kind[..], body].concat()
    }

    /// A movie header of version 0 or 1: 90 s in units of 1/600 s.
    fn movie_header(version: u8) -> Vec<u8> {
        let mut body = vec![version, 0, 0, 0];
        body.extend(vec![0; if version == 1 { 16 } else { 8 }]);
        body.extend(600_u32.to_be_bytes());
        if version == 1 {
            body.extend(54_000_u64.to_be_bytes());
        } else {
            body.extend(54_000_u32.to_be_bytes());
        }
        body.resize(100, 0);
        part(b"mvhd", &body)
    }

    #[test]
    fn mp4_says_how_long_it_is_and_whether_it_is_all_there() {
        for version in [0, 1] {
            let tracks = part(b"trak", &[7; 40]);
            let movie = part(b"moov", &[movie_header(version), tracks].concat());
            let media = part(b"mdat", &[9; 500]);
            let start = part(b"ftyp", b"isom0000");
            for order in [[&start, &movie, &media], [&start, &media, &movie]] {
                let whole = order.map(Vec::as_slice).concat();
                let claims = claims_of(&whole);
                assert_eq!((claims.length_ms, claims.torn), (Some(90_000.0), false));
                // Cut between two boxes, or in the few bytes of a box's head, it may well be whole.
                let seams = [start.len(), start.len() + order[1].len()];
                for cut in 13..whole.len() {
                    let at_a_seam = seams.iter().any(|s| (*s..s + 8).contains(&cut));
                    assert!(at_a_seam || claims_of(&whole[..cut]).torn, "cut at {cut}");
                }
            }
        }
    }

    #[test]
    fn a_large_box_is_measured_in_64_bits() {
        let mut large = [&1_u32.to_be_bytes(), &b"mdat"[..]].concat();
        large.extend(5_000_000_000_u64.to_be_bytes());
        large.extend([0; 200]);
        let file = [part(b"ftyp", b"isom0000"), large].concat();
        assert!(claims_of(&file).torn);
    }

    #[test]
    fn nonsense_claims_nothing() {
        let loops = [part(b"ftyp", b"isom0000"), vec![0, 0, 0, 3, 1, 2, 3, 4]].concat();
        for bytes in [&b""[..], b"RIFF", b"this is no video at all", &loops] {
            assert_eq!(claims_of(bytes), Claims::default());
        }
    }

    #[test]
    fn avi_and_transport_streams_are_measured() {
        let mut avi = [&b"RIFF"[..], &100_u32.to_le_bytes(), b"AVI "].concat();
        avi.resize(108, 0);
        assert!(!claims_of(&avi).torn && claims_of(&avi[..90]).torn);
        let mut stream = vec![0; 188 * 5];
        stream.iter_mut().step_by(188).for_each(|b| *b = TS_SYNC);
        assert!(!claims_of(&stream).torn && claims_of(&stream[..700]).torn);
    }
}
