// See docs/decisions/0064: the proof there needs that a reader's time is over before an ender's, though one of their clocks be
// faster than the other by a quarter.

/** The time for which a connection to a standby may be read by, from before its renewal was sent. */
export const HELD_MS = 1_500;
/** The time for which an end of access waits for readers, from when their rows were read. */
export const WAIT_MS_MAX = 2_000;

export const RENEW_EVERY_MS = 500;
/** A standby that has not shown a renewal by then is not read from any more. */
export const SHOW_MS_MAX = 1_000;
/** A standby that lags further behind than this is not begun with. */
export const BEGIN_MS_MAX = 250;

/** The channel on which whoever ends access wakes the readers. */
export const READERS_CHANNEL = 'standby_readers';
