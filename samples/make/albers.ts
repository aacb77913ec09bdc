import type { LonLat, Ring } from './us-geometry.ts'

/** Point in an image, in pixels from the top left corner. */
export type Pixel = readonly [number, number]

/** Converts degrees to pixels. */
export type Projection = (point: LonLat) => Pixel

/** Width of every map, in pixels. */
export const MAP_WIDTH = 1600
/** Height of every map, in pixels. */
export const MAP_HEIGHT = 1000
const MARGIN = 70

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Subtracts full turns, so that Alaska's islands beyond 180° are drawn next to the rest of the state. */
const turned = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180

/**
 * Albers equal-area conic projection, scaled and translated so that the rings fill the image. The standard parallels
 * are one sixth of the height inside the northern and southern edges; the central meridian is in the middle.
 */
export function fitAlbers(rings: readonly Ring[], middleLongitude: number): Projection {
  const points = rings.flat()
  const latitudes = points.map(([, latitude]) => latitude)
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
  const sixth = (north - south) / 6
  const cone = albers(south + sixth, north - sixth, middleLongitude)
  const flat = points.map(cone)
  const [left, right] = spanOf(flat.map(([x]) => x))
  const [top, bottom] = spanOf(flat.map(([, y]) => y))
  const scale = Math.min((MAP_WIDTH - 2 * MARGIN) / (right - left), (MAP_HEIGHT - 2 * MARGIN) / (bottom - top))

  return (point) => {
    const [x, y] = cone(point)
    return [MAP_WIDTH / 2 + (x - (left + right) / 2) * scale, MAP_HEIGHT / 2 + (y - (top + bottom) / 2) * scale]
  }
}

function albers(parallelA: number, parallelB: number, middleLongitude: number): Projection {
  const sineA = Math.sin(radians(parallelA))
  const n = (sineA + Math.sin(radians(parallelB))) / 2
  const c = 1 + sineA * (2 * n - sineA)
  return ([longitude, latitude]) => {
    const distance = Math.sqrt(c - 2 * n * Math.sin(radians(latitude))) / n
    const angle = n * radians(turned(longitude - middleLongitude))
    return [distance * Math.sin(angle), distance * Math.cos(angle)]
  }
}

/** Minimum and maximum; avoids passing thousands of arguments to `Math.min`. */
function spanOf(values: readonly number[]): readonly [number, number] {
  return values.reduce<readonly [number, number]>(
    ([least, greatest], value) => [Math.min(least, value), Math.max(greatest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}

/** Converts rings to the `d` attribute of an SVG path, rounded to a tenth of a pixel. */
export function pathOf(rings: readonly Ring[], project: Projection): string {
  return rings.map((ring) => `${lineOf(ring, project)}Z`).join('')
}

/** Converts an open line to the `d` attribute of an SVG path. */
export function lineOf(points: readonly LonLat[], project: Projection): string {
  return points
    .map(
      (point, index) =>
        `${index === 0 ? 'M' : 'L'}${project(point)
          .map((v) => v.toFixed(1))
          .join(' ')}`,
    )
    .join('')
}
