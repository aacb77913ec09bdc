import { readFileSync } from 'node:fs'
import { type CsvLine, readCsv } from './csv-files.ts'
import { REPORTED_AIRPORTS } from './reported-airports.ts'
import { STATES } from './states.ts'

/** Earlier strikes are omitted, to keep the sample small. */
const FIRST_DAY = '1995-01-01'

/** Airport with its flight totals for 2008. */
export type Airport = {
  readonly code: string
  /** Airport name followed by its code, because names alone are not unique. */
  readonly title: string
  readonly city: string
  /** Name of the airport's state; empty if the source has NA. */
  readonly state: string
  readonly country: string
  readonly latitude: number
  readonly longitude: number
  readonly departures: number
  readonly destinations: number
}

/** Number of flights from one airport to another in 2008. */
export type Route = { readonly from: Airport; readonly to: Airport; readonly flights: number }

/** Report of an aircraft that hit an animal. */
export type Strike = {
  readonly title: string
  readonly line: CsvLine
  readonly day: string
  readonly airport: Airport | undefined
  readonly species: string
  readonly operator: string
  readonly cost: number
}

/** Public data that the sample is built from, parsed and joined. */
export type Sources = {
  readonly airports: readonly Airport[]
  readonly routes: readonly Route[]
  readonly strikes: readonly Strike[]
  readonly capitals: readonly Capital[]
}

type Capital = { readonly state: string; readonly city: string; readonly lon: number; readonly lat: number }

export const sourceFile = (name: string): URL =>
  new URL(`../../node_modules/vega-datasets/data/${name}`, import.meta.url)

export function readJson<Shape>(name: string): Shape {
  // The package version is pinned, so the file format is known.
  return JSON.parse(readFileSync(sourceFile(name), 'utf8')) as Shape
}

export function loadSources(): Sources {
  const flights = readCsv(sourceFile('flights-airport.csv'))
  const airports = readCsv(sourceFile('airports.csv')).map((line) => readAirport(line, flights))
  const byCode = new Map(airports.map((airport) => [airport.code, airport]))
  return {
    airports,
    routes: flights.flatMap((line) => readRoute(line, byCode)),
    strikes: readStrikes(byCode),
    capitals: readJson<Capital[]>('us-state-capitals.json'),
  }
}

function readAirport(line: CsvLine, flights: readonly CsvLine[]): Airport {
  const code = line['iata'] ?? ''
  const leaving = flights.filter((flight) => flight['origin'] === code)
  return {
    code,
    title: `${line['name']} (${code})`,
    city: line['city'] ?? '',
    state: STATES.find((state) => state.code === line['state'])?.name ?? '',
    country: line['country'] ?? '',
    latitude: Number(line['latitude']),
    longitude: Number(line['longitude']),
    departures: leaving.reduce((sum, flight) => sum + Number(flight['count']), 0),
    destinations: leaving.length,
  }
}

function readRoute(line: CsvLine, byCode: ReadonlyMap<string, Airport>): Route[] {
  const from = byCode.get(line['origin'] ?? '')
  const to = byCode.get(line['destination'] ?? '')
  return from && to ? [{ from, to, flights: Number(line['count']) }] : []
}

function readStrikes(byCode: ReadonlyMap<string, Airport>): Strike[] {
  const lines = readCsv(sourceFile('birdstrikes.csv')).filter((line) => (line['Flight Date'] ?? '') >= FIRST_DAY)
  const countByYear = new Map<string, number>()
  return lines.map((line) => {
    const day = line['Flight Date'] ?? ''
    const year = day.slice(0, 4)
    const ordinal = (countByYear.get(year) ?? 0) + 1
    countByYear.set(year, ordinal)
    return {
      title: `${year}-${String(ordinal).padStart(4, '0')} ${line['Wildlife Species']}`,
      line,
      day,
      airport: byCode.get(REPORTED_AIRPORTS[line['Airport Name'] ?? ''] ?? ''),
      species: line['Wildlife Species'] ?? '',
      operator: line['Aircraft Airline Operator'] ?? '',
      cost: Number(line['Cost Total $']),
    }
  })
}
