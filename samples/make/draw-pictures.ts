import { readCsv } from './csv-files.ts'
import { drawHabitatMap } from './draw-habitat-map.ts'
import { drawRouteMap } from './draw-route-map.ts'
import { drawStateMap } from './draw-state-map.ts'
import { drawStrikeCalendar } from './draw-strike-calendar.ts'
import { CALENDARS, HABITATS, ROUTE_MAPS, STATE_MAPS, STRIKE_MAPS } from './picture-list.ts'
import { type Airport, type Sources, sourceFile } from './sources.ts'
import { STATES } from './states.ts'
import { readUsShapes } from './us-geometry.ts'

/** Image and the record that it belongs to. */
export type Picture = {
  readonly collection: 'states' | 'airports' | 'species' | 'strikes'
  readonly record: string
  /** File name without folder and extension. */
  readonly slug: string
  readonly name: string
  readonly svg: string
}

type Shapes = ReturnType<typeof readUsShapes>

/** Draws every image in the sample. */
export function drawPictures(sources: Sources): Picture[] {
  const shapes = readUsShapes()
  return [
    ...stateMaps(sources, shapes),
    ...routeMaps(sources, shapes),
    ...habitatMaps(shapes),
    ...calendars(sources),
    ...strikeMaps(sources, shapes),
  ]
}

function stateMaps({ airports }: Sources, shapes: Shapes): Picture[] {
  return STATES.filter((state) => STATE_MAPS.some((code) => code === state.code)).map((state) => ({
    collection: 'states',
    record: state.name,
    slug: `airports-of-${slugOf(state.name)}`,
    name: `Airports of ${state.name}`,
    svg: drawStateMap({ state, airports, ...shapes }),
  }))
}

function routeMaps({ airports, routes }: Sources, shapes: Shapes): Picture[] {
  return airports
    .filter((airport) => ROUTE_MAPS.some((code) => code === airport.code))
    .map((airport) => ({
      collection: 'airports',
      record: airport.title,
      slug: `routes-from-${slugOf(airport.code)}`,
      name: `Routes from ${airport.code} in 2008`,
      svg: drawRouteMap(airport, routes, shapes.states),
    }))
}

function habitatMaps({ states, counties }: Shapes): Picture[] {
  const lines = readCsv(sourceFile('species.csv'))
  return HABITATS.map(({ animal, inTable }) => ({
    collection: 'species',
    record: animal,
    slug: `habitat-of-${slugOf(animal)}`,
    name: `Year-round habitat of the ${animal}`,
    svg: drawHabitatMap(
      lines.filter((line) => line['common_name'] === inTable),
      states,
      counties,
    ),
  }))
}

function calendars({ strikes }: Sources): Picture[] {
  return CALENDARS.map((animal) => ({
    collection: 'species',
    record: animal,
    slug: `calendar-of-${slugOf(animal)}`,
    name: `Strikes around the year: ${animal}`,
    svg: drawStrikeCalendar(strikes.filter((strike) => strike.species === animal)),
  }))
}

function strikeMaps({ airports, strikes }: Sources, shapes: Shapes): Picture[] {
  return STRIKE_MAPS.flatMap((number): Picture[] => {
    const strike = strikes.find((candidate) => candidate.title.startsWith(number))
    const state = STATES.find((candidate) => candidate.name === strike?.airport?.state)
    if (!strike?.airport || !state) return []
    return [
      {
        collection: 'strikes',
        record: strike.title,
        slug: `place-of-${number}`,
        name: placeName(strike.airport),
        svg: drawStateMap({ state, airports, marked: strike.airport, ...shapes }),
      },
    ]
  })
}

const placeName = (airport: Airport): string => `Where it happened: ${airport.title}`

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
