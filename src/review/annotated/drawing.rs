//! What is drawn into the picture itself: hands, and the squares of the contacts of the moment.

use opencv::{
    core::{Mat, MatTraitConst, Point, Scalar, Size, Vector},
    imgproc::{
        FILLED, FONT_HERSHEY_SIMPLEX, INTER_AREA, LINE_AA, circle, get_text_size, line, polylines,
        put_text, resize,
    },
};
use shakmaty::Square;

use super::{AnnotateError, Layout};
use crate::{
    calibration::view::{BoardView, Corners, square_centre},
    events::observation::{HandReading, Observation},
    media::Frame,
    record::{Contact, ContactKind, Record},
    review::words::percent,
};

/// A contact stays drawn for so long after its release, milliseconds.
const AFTER_MS: f64 = 400.0;
/// Hands less sure than this are not drawn.
const PRESENCE: f32 = 0.45;
/// A touch as likely as this is drawn as one.
const TOUCHES: f32 = 0.5;

/// Draws into the frames of one recording, in their order.
pub struct Drawing<'a> {
    record: &'a Record,
    layout: Layout,
    corners: Corners,
    view: Option<BoardView>,
    /// Contacts drawn in the frame before.
    shown: Vec<u32>,
}

fn colour(kind: ContactKind) -> Scalar {
    let [r, g, b] = match kind {
        ContactKind::Touch => [0xf0, 0xa0, 0x4b],
        ContactKind::Adjust => [0xb7, 0x9a, 0xe0],
        ContactKind::Brush => [0xb0, 0xaa, 0xa0],
        ContactKind::CaptureRemoval => [0x79, 0xae, 0xe6],
        _ => [0x5f, 0xd0, 0xa0],
    };
    Scalar::new(b.into(), g.into(), r.into(), 0.0)
}

const WHITE: Scalar = Scalar::new(255.0, 255.0, 255.0, 0.0);
const BLACK: Scalar = Scalar::new(0.0, 0.0, 0.0, 0.0);
const RED: Scalar = Scalar::new(60.0, 60.0, 235.0, 0.0);

impl<'a> Drawing<'a> {
    /// Begins with the corners of the first frame.
    pub fn new(record: &'a Record, layout: Layout) -> Self {
        let mut drawing = Self {
            record,
            layout,
            corners: record.corners,
            view: None,
            shown: Vec::new(),
        };
        drawing.place(record.corners);
        drawing
    }

    fn place(&mut self, corners: Corners) {
        let view = BoardView::new(corners, self.record.width, self.record.height);
        self.view = view.and_then(|v| v.scaled(self.layout.scale)).ok();
        self.corners = corners;
    }

    fn now(&self, t_ms: f64) -> impl Iterator<Item = &'a Contact> {
        let contacts = self.record.contacts.iter();
        contacts.filter(move |c| (c.touch_ms..c.release_ms + AFTER_MS).contains(&t_ms))
    }

    /// Whether other contacts are drawn at a time than in the frame before.
    pub fn changes(&self, t_ms: f64) -> bool {
        !self.now(t_ms).map(|c| c.id).eq(self.shown.iter().copied())
    }

    /// The picture, made smaller if need be, with what was seen in it.
    pub fn draw(&mut self, frame: &Frame, seen: &Observation) -> Result<Mat, AnnotateError> {
        let moved = self.record.corner_changes.iter().rev();
        let corners = { moved }.find(|c| c.ms <= frame.t_ms).map(|c| c.corners);
        if let Some(corners) = corners.filter(|c| *c != self.corners) {
            self.place(corners);
        }
        let mut out = Mat::default();
        let size = Size::new(self.layout.width, self.layout.height);
        if frame.image.size()? == size {
            out = frame.image.try_clone()?;
        } else {
            resize(&frame.image, &mut out, size, 0.0, 0.0, INTER_AREA)?;
        }
        self.shown = self.now(frame.t_ms).map(|c| c.id).collect();
        for contact in self.now(frame.t_ms) {
            self.contact(&mut out, contact, frame.t_ms)?;
        }
        for hand in seen.hands.iter().filter(|h| h.presence >= PRESENCE) {
            self.hand(&mut out, hand)?;
        }
        Ok(out)
    }

    fn unit(&self) -> f64 {
        f64::from(self.layout.height) / 720.0
    }

    /// A contact: the outline of the square where the piece is then, and how sure it is.
    fn contact(&self, out: &mut Mat, contact: &Contact, t_ms: f64) -> Result<(), AnnotateError> {
        let placed = contact.place_ms.is_some_and(|ms| ms <= t_ms);
        let square = match (placed, &contact.square, &contact.to) {
            (true, _, Some(to)) | (_, None, Some(to)) => to,
            (_, Some(from), _) => from,
            _ => return Ok(()),
        };
        let (Some(view), Ok(square)) = (&self.view, square.parse::<Square>()) else {
            return Ok(());
        };
        let [x, y] = square_centre(square);
        let corners = [[-0.46, -0.46], [0.46, -0.46], [0.46, 0.46], [-0.46, 0.46]]
            .map(|[dx, dy]| view.project([x + dx, y + dy, 0.0]))
            .map(|[x, y]| Point::new(x.round() as i32, y.round() as i32));
        let outline = Vector::from_slice(&corners);
        let colour = colour(contact.kind);
        let thick = (3.0 * self.unit()).round().max(1.0) as i32;
        polylines(out, &outline, true, BLACK, thick + 2, LINE_AA, 0)?;
        polylines(out, &outline, true, colour, thick, LINE_AA, 0)?;
        let lowest = corners.iter().max_by_key(|p| p.y);
        let (Some(p), Some(lowest)) = (contact.probability, lowest) else {
            return Ok(());
        };
        let middle = corners.iter().map(|c| c.x).sum::<i32>() / 4;
        self.label(out, &percent(p), Point::new(middle, lowest.y), colour)
    }

    /// A few plain letters below a point, centred.
    fn label(
        &self,
        out: &mut Mat,
        text: &str,
        at: Point,
        colour: Scalar,
    ) -> Result<(), AnnotateError> {
        let scale = 0.62 * self.unit();
        let thick = (2.0 * self.unit()).round().max(1.0) as i32;
        let mut base = 0;
        let size = get_text_size(text, FONT_HERSHEY_SIMPLEX, scale, thick, &mut base)?;
        let at = Point::new(at.x - size.width / 2, at.y + size.height + 6);
        for (colour, thick) in [(BLACK, thick + 2), (colour, thick)] {
            put_text(
                out,
                text,
                at,
                FONT_HERSHEY_SIMPLEX,
                scale,
                colour,
                thick,
                LINE_AA,
                false,
            )?;
        }
        Ok(())
    }

    /// A hand: wrist, knuckles, finger tips and where the fingers meet.
    fn hand(&self, out: &mut Mat, hand: &HandReading) -> Result<(), AnnotateError> {
        let point = |p: [f32; 2]| {
            let [x, y] = p.map(|v| (f64::from(v) * self.layout.scale).round() as i32);
            Point::new(x, y)
        };
        let (own, edge) = if hand.from_white > 0.0 {
            (WHITE, BLACK)
        } else {
            (BLACK, WHITE)
        };
        let (wrist, knuckles) = (point(hand.wrist_px), point(hand.knuckles_px));
        let bones = hand.tips_px.map(|tip| (knuckles, point(tip)));
        let bones = [(wrist, knuckles)].into_iter().chain(bones);
        let bones: Vec<(Point, Point)> = bones.collect();
        let thick = (2.0 * self.unit()).round().max(1.0) as i32;
        for (colour, thick) in [(edge, thick + 2), (own, thick)] {
            for (from, to) in &bones {
                line(out, *from, *to, colour, thick, LINE_AA, 0)?;
            }
        }
        let dot = (4.0 * self.unit()).round().max(2.0) as i32;
        for (_, tip) in bones.iter().skip(1) {
            circle(out, *tip, dot + 1, edge, FILLED, LINE_AA, 0)?;
            circle(out, *tip, dot, own, FILLED, LINE_AA, 0)?;
        }
        let touches = hand.touches >= TOUCHES || hand.lifts >= TOUCHES;
        let ring = if touches { RED } else { own };
        let pinch = point(hand.pinch_px);
        circle(out, pinch, 3 * dot, edge, thick + 2, LINE_AA, 0)?;
        circle(out, pinch, 3 * dot, ring, thick, LINE_AA, 0)?;
        Ok(())
    }
}
