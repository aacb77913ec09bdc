import { MAP_HEIGHT, MAP_WIDTH, type Pixel, type Projection, fitAlbers, pathOf } from './albers.ts'
import type { Airport } from './sources.ts'
import type { State } from './states.ts'
import type { Ring, Shape } from './us-geometry.ts'

const WATER = '#e9eeec'
const NEIGHBOUR = '#f3f0e9'
const LAND = '#ffffff'
const BORDER = '#8c8677'
const COUNTY = '#e0dbcf'
const AIRPORT = '#17594a'
const MARK = '#a8281f'
const MARK_RADIUS = 58

/** Input for a map of one state. */
export type StateMap = {
  readonly state: State
  readonly states: readonly Shape[]
  readonly counties: readonly Shape[]
  readonly airports: readonly Airport[]
  /** Airport to mark with a red ring, if any. */
  readonly marked?: Airport | undefined
}

/**
 * Draws a state with its counties and airports; the area of a circle shows the number of flights in 2008, and the
 * busiest airports are labeled with their codes.
 */
export function drawStateMap({ state, states, counties, airports, marked }: StateMap): string {
  const outline = states.find((shape) => shape.id === state.censusId)?.rings ?? []
  const rings = ringsToFit(outline)
  const project = fitAlbers(rings, middleOf(rings))
  const own = airports.filter((airport) => airport.state === state.name && isInFrame(place(airport, project)))
  const busiest = own.toSorted((a, b) => b.departures - a.departures)
  const ownCounties = counties.filter((shape) => Math.floor(shape.id / 1000) === state.censusId)
  const labelled = withRoomToRead([...(marked ? [marked] : []), ...busiest.filter(isServed).slice(0, 8)], project)

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${MAP_WIDTH}" height="${MAP_HEIGHT}">
<rect width="100%" height="100%" fill="${WATER}"/>
<clipPath id="land"><path d="${pathOf(outline, project)}"/></clipPath>
<path d="${states.map((shape) => pathOf(shape.rings, project)).join('')}" fill="${NEIGHBOUR}" stroke="#d3cdbf" stroke-width="1.5"/>
<path d="${ownCounties.map((shape) => pathOf(shape.rings, project)).join('')}" fill="${LAND}" stroke="${COUNTY}" stroke-width="1.5" clip-path="url(#land)"/>
<path d="${pathOf(outline, project)}" fill="none" stroke="${BORDER}" stroke-width="3" stroke-linejoin="round"/>
${busiest.map((airport) => disc(airport, project)).join('')}
${marked ? ring(place(marked, project)) : ''}
${labelled.map((airport) => label(airport, place(airport, project), airport === marked ? MARK_RADIUS : radiusOf(airport))).join('')}
</svg>`
}

/**
 * Ignores rings much smaller than the largest one when fitting the map; distant islands would shrink the rest to a dot.
 */
function ringsToFit(rings: readonly Ring[]): readonly Ring[] {
  const largest = Math.max(...rings.map((candidate) => candidate.length))
  return rings.filter((candidate) => candidate.length >= largest / 12)
}

const isServed = (airport: Airport): boolean => airport.departures > 0

/** Picks the first five airports whose labels don't overlap an earlier label. */
function withRoomToRead(airports: readonly Airport[], project: Projection): readonly Airport[] {
  const chosen: Airport[] = []
  for (const airport of airports) {
    const [x, y] = place(airport, project)
    const isCrowded = chosen.some((other) => {
      const [otherX, otherY] = place(other, project)
      return Math.abs(x - otherX) < 110 && Math.abs(y - otherY) < 40
    })
    if (!isCrowded && chosen.length < 5) chosen.push(airport)
  }
  return chosen
}

function middleOf(rings: readonly Ring[]): number {
  // Shifts eastern longitudes by a full turn, so that Alaska, which crosses 180°, has a single center.
  const longitudes = rings.flat().map(([longitude]) => (longitude > 0 ? longitude - 360 : longitude))
  return (Math.min(...longitudes) + Math.max(...longitudes)) / 2
}

const place = (airport: Airport, project: Projection): Pixel => project([airport.longitude, airport.latitude])

const isInFrame = ([x, y]: Pixel): boolean => x > 0 && x < MAP_WIDTH && y > 0 && y < MAP_HEIGHT

const radiusOf = (airport: Airport): number => Math.max(5, Math.sqrt(airport.departures) / 12)

function disc(airport: Airport, project: Projection): string {
  const [x, y] = place(airport, project)
  const look =
    airport.departures > 0
      ? `fill="${AIRPORT}" fill-opacity="0.78" stroke="#ffffff" stroke-width="2"`
      : `fill="#7fa79b" fill-opacity="0.75"`
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radiusOf(airport).toFixed(1)}" ${look}/>`
}

const ring = ([x, y]: Pixel): string =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${MARK_RADIUS}" fill="none" stroke="${MARK}" stroke-width="7"/>`

function label(airport: Airport, [x, y]: Pixel, radius: number): string {
  return `<text x="${(x + radius + 10).toFixed(1)}" y="${(y + 10).toFixed(1)}" font-family="sans-serif" font-size="30" font-weight="bold" fill="#1c1b19" stroke="#ffffff" stroke-width="7" stroke-linejoin="round" paint-order="stroke">${airport.code}</text>`
}
