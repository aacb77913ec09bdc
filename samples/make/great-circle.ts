/** Location on the globe, in degrees. */
export type Place = { readonly latitude: number; readonly longitude: number }

/** Mean radius of the Earth in km (IUGG). */
const EARTH_RADIUS_KM = 6371.0088

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Central angle between two locations, in radians (haversine). */
function angleBetween(from: Place, to: Place): number {
  const halfLatitude = radians(to.latitude - from.latitude) / 2
  const halfLongitude = radians(to.longitude - from.longitude) / 2
  const chord =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(halfLongitude) ** 2
  return 2 * Math.asin(Math.sqrt(chord))
}

/** Great-circle distance between two locations, in km. */
export const distanceKm = (from: Place, to: Place): number => angleBetween(from, to) * EARTH_RADIUS_KM

/** Points along a great circle, including both ends. */
export function pathBetween(from: Place, to: Place, steps: number): Place[] {
  const angle = angleBetween(from, to)
  return Array.from({ length: steps + 1 }, (_, step) => {
    const share = step / steps
    const a = Math.sin((1 - share) * angle) / Math.sin(angle)
    const b = Math.sin(share * angle) / Math.sin(angle)
    const [x, y, z] = [0, 1, 2].map((axis) => a * (vector(from)[axis] ?? 0) + b * (vector(to)[axis] ?? 0))
    return {
      latitude: (Math.atan2(z ?? 0, Math.hypot(x ?? 0, y ?? 0)) * 180) / Math.PI,
      longitude: (Math.atan2(y ?? 0, x ?? 0) * 180) / Math.PI,
    }
  })
}

function vector({ latitude, longitude }: Place): readonly [number, number, number] {
  const [phi, lambda] = [radians(latitude), radians(longitude)]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}
