//! Changes of light, exposure and lens are not moves: the clip that ships with the project, changed
//! by FFmpeg and reviewed by the program.

use crate::common::{CLIP, Review, ffmpeg, moves, shown};

/// The clip through a filter keeps its game and its board, and nobody is accused of anything new.
/// (Its one incident may be lost: `docs/calibration.md`.)
fn is_read_as_ever(name: &str, filter: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join(format!("{name}.mp4"));
    let output = [filter, &["-c:v", "libx264", "-crf", "16", "-an"]].concat();
    assert!(ffmpeg(&["-i", CLIP], &output, &video), "FFmpeg failed");
    let found = Review::of(&video, &[]).record;
    println!("{name}: {:?}, notes {:?}", moves(&found), found.notes);
    assert_eq!(moves(&found), ["e2e4", "e7e5", "d2d4"], "{name}");
    let incidents: Vec<&str> = shown(&found).iter().map(|i| i.kind.as_str()).collect();
    println!("{name}: incidents {incidents:?}");
    assert!(
        incidents.iter().all(|i| *i == "touch_move"),
        "{name}: {incidents:?}"
    );
    assert!(incidents.len() <= 1, "{name}: {incidents:?}");
    assert!(
        found.disturbances.is_empty(),
        "{name}: {:?}",
        found.disturbances
    );
}

/// A lamp goes out in the middle and comes on again.
#[test]
fn a_lamp_that_is_switched_is_no_move() {
    let lamp = "eq=brightness='if(between(t,3,5),-0.22,0)':eval=frame";
    is_read_as_ever("lamp", &["-vf", lamp]);
}

/// The camera's exposure hunts by a third to both sides.
#[test]
fn hunting_exposure_is_no_move() {
    let hunting = "eq=gamma='1+0.35*sin(2.5*t)':eval=frame";
    is_read_as_ever("exposure", &["-vf", hunting]);
}

/// A cloud takes a third of the light within a second and the colour turns.
#[test]
fn a_cloud_is_no_move() {
    let cloud =
        "eq=contrast='1-0.35*min(max(t-3,0),1)':eval=frame,colortemperature=temperature=4500";
    is_read_as_ever("cloud", &["-vf", cloud]);
}

/// A shadow, as of a head, crosses the board from side to side, or from one player to the other.
#[test]
fn a_shadow_over_the_board_is_no_move() {
    for (name, size, way) in [
        ("across", "220x540", "x='-220+150*t':y=0"),
        ("along", "960x135", "x=0:y='-135+100*t'"),
    ] {
        let band = format!(
            "color=black@0.5:s={size}:r=30,format=yuva420p,gblur=sigma=3[s];[0:v][s]overlay={way}:shortest=1"
        );
        is_read_as_ever(name, &["-filter_complex", &band]);
    }
}

/// A wide lens bends the picture: by about a sixth at its corners.
#[test]
fn a_bent_picture_is_read() {
    is_read_as_ever("lens", &["-vf", "lenscorrection=k1=0.2:k2=0:i=bilinear"]);
}

/// Something is held before the camera between two moves: said, and play goes on.
#[test]
fn a_camera_that_is_covered_for_a_while_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("covered.mp4");
    let cover = "drawbox=color=0x302820:t=fill:enable='between(t,5.45,6.6)'";
    let output = ["-vf", cover, "-c:v", "libx264", "-crf", "16", "-an"];
    assert!(ffmpeg(&["-i", CLIP], &output, &video), "FFmpeg failed");
    let found = Review::of(&video, &[]).record;
    assert_eq!(moves(&found), ["e2e4", "e7e5", "d2d4"]);
    let said = format!("{:?}", found.notes);
    assert!(said.contains("could not be seen"), "{said}");
    assert!(
        shown(&found).iter().all(|i| i.kind == "touch_move"),
        "{said}"
    );
}
