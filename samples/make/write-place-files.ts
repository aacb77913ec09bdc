import { writeCsv } from './csv-files.ts'
import { distanceKm } from './great-circle.ts'
import type { Airport, Sources } from './sources.ts'
import { STATES } from './states.ts'

/** Writes the CSV files of states, airports and routes. */
export function writePlaceFiles(folder: URL, sources: Sources): void {
  writeStates(folder, sources)
  writeAirports(folder, sources)
  writeRoutes(folder, sources)
}

function writeStates(folder: URL, { airports, capitals }: Sources): void {
  writeCsv(
    new URL('states.csv', folder),
    [
      'name',
      'code',
      'status',
      'region',
      'capital',
      'capital_latitude',
      'capital_longitude',
      'airports',
      'departures_2008',
    ],
    STATES.map((state) => {
      const own = airports.filter((airport) => airport.state === state.name)
      const capital = capitals.find((candidate) => candidate.state === state.name)
      return [
        state.name,
        state.code,
        state.status,
        state.region,
        capital?.city ?? '',
        capital?.lat ?? '',
        capital?.lon ?? '',
        own.length,
        own.reduce((sum, airport) => sum + airport.departures, 0),
      ]
    }),
  )
}

function writeAirports(folder: URL, { airports }: Sources): void {
  writeCsv(
    new URL('airports.csv', folder),
    [
      'airport',
      'iata',
      'city',
      'state',
      'country',
      'latitude',
      'longitude',
      'traffic_2008',
      'departures_2008',
      'destinations_2008',
      'reported_flights',
    ],
    airports.map((airport) => [
      airport.title,
      airport.code,
      airport.city,
      airport.state,
      airport.country,
      airport.latitude,
      airport.longitude,
      trafficClass(airport),
      airport.departures || '',
      airport.destinations || '',
      airport.departures > 0,
    ]),
  )
}

function trafficClass({ departures }: Airport): string {
  if (departures >= 100_000) return 'Very busy'
  if (departures >= 25_000) return 'Busy'
  if (departures >= 5_000) return 'Steady'
  return departures > 0 ? 'Quiet' : 'No reported flights'
}

function writeRoutes(folder: URL, { routes }: Sources): void {
  const known = new Set(routes.map((route) => `${route.from.code} ${route.to.code}`))
  const daysOf2008 = 366
  writeCsv(
    new URL('routes.csv', folder),
    ['route', 'origin', 'destination', 'flights_2008', 'flights_per_day', 'distance_km', 'reach', 'both_ways'],
    routes
      .filter((route) => route.flights >= daysOf2008)
      .map(({ from, to, flights }) => {
        const km = distanceKm(from, to)
        return [
          `${from.code} – ${to.code}`,
          from.title,
          to.title,
          flights,
          (flights / daysOf2008).toFixed(2),
          km.toFixed(1),
          reachOf(km),
          known.has(`${to.code} ${from.code}`),
        ]
      }),
  )
}

function reachOf(km: number): string {
  if (km < 500) return 'Under 500 km'
  if (km < 1500) return '500 to 1,500 km'
  return km < 3000 ? '1,500 to 3,000 km' : '3,000 km and more'
}
