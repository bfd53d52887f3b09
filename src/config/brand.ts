/** The operator's brand on pages for people. */
export interface Brand {
  name: string;
  /** As `#rrggbb`; dark enough for white text on it. */
  colour: string | null;
  /** The path of an image. */
  logo: string | null;
}

/** WCAG 2.2 §1.4.3: what text needs to be readable. */
const CONTRAST_MIN = 4.5;

/** True if white text is readable on a colour such as `#14213d`. */
export function isDarkEnough(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    light(Number.parseInt(colour.slice(at, at + 2), 16)),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= CONTRAST_MIN;
}

/** WCAG 2.2, "relative luminance" */
function light(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
