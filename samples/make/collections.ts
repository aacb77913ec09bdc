import { OPERATOR_KINDS } from './operators.ts'

/** Collection field and the CSV column that fills it; files and notes have other sources. */
export type SampleField = {
  readonly name: string
  readonly label: string
  readonly kind: string
  readonly column?: string
  readonly required?: boolean
  readonly unique?: boolean
  readonly options: Readonly<Record<string, unknown>>
}

/** A collection of the sample data, in import order. */
export type SampleCollection = {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly color: string
  readonly group: string
  readonly file: string
  readonly titleField: string
  readonly fields: readonly SampleField[]
}

const plain = (name: string, label: string, kind: string, column: string): SampleField => ({
  name,
  label,
  kind,
  column,
  options: {},
})

const title = (label: string, column: string): SampleField => ({
  ...plain('title', label, 'text', column),
  required: true,
  unique: true,
})

const number = (name: string, label: string, column: string, options: SampleField['options'] = {}): SampleField => ({
  ...plain(name, label, 'number', column),
  options,
})

const select = (name: string, label: string, column: string, choices: readonly string[]): SampleField => ({
  ...plain(name, label, 'select', column),
  options: { choices: choices.map(choiceFrom) },
})

/** An option is written as `Name / color`. */
function choiceFrom(choice: string): { name: string; color: string } {
  const [name = '', color = ''] = choice.split(' / ')
  return { name, color }
}

const relation = (name: string, label: string, column: string, collection: string): SampleField => ({
  ...plain(name, label, 'relation', column),
  options: { collection, many: false },
})

const manyRelation = (name: string, label: string, column: string, collection: string): SampleField => ({
  ...plain(name, label, 'relation', column),
  options: { collection, many: true },
})

const NOTES: readonly SampleField[] = [
  { name: 'notes', label: 'Notes', kind: 'rich-text', options: {} },
  { name: 'pictures', label: 'Pictures', kind: 'files', options: { accept: ['image/*'] } },
]

const states: SampleCollection = {
  name: 'states',
  label: 'States and territories',
  icon: 'map-pin',
  color: 'olive',
  group: 'Air traffic',
  file: 'data/states.csv',
  titleField: 'title',
  fields: [
    title('Name', 'name'),
    { ...plain('code', 'Postal code', 'text', 'code'), unique: true, options: { min: 2, max: 2 } },
    select('status', 'Status', 'status', ['State / green', 'Federal district / violet', 'Territory / amber']),
    select('region', 'Region', 'region', [
      'Northeast / blue',
      'Midwest / amber',
      'South / orange',
      'West / teal',
      'Outside the states / pink',
    ]),
    plain('capital', 'Capital', 'text', 'capital'),
    number('capitalLatitude', 'Latitude of the capital', 'capital_latitude', { min: -90, max: 90 }),
    number('capitalLongitude', 'Longitude of the capital', 'capital_longitude', { min: -180, max: 180 }),
    number('airports', 'Airports', 'airports', { min: 0, decimals: 0 }),
    number('departures', 'Departures in 2008', 'departures_2008', { min: 0, decimals: 0 }),
    ...NOTES,
  ],
}

const airports: SampleCollection = {
  name: 'airports',
  label: 'Airports',
  icon: 'building',
  color: 'cyan',
  group: 'Air traffic',
  file: 'data/airports.csv',
  titleField: 'title',
  fields: [
    title('Airport', 'airport'),
    { ...plain('code', 'Code', 'text', 'iata'), unique: true, options: { min: 3, max: 4 } },
    plain('city', 'City', 'text', 'city'),
    relation('state', 'State', 'state', 'states'),
    select('country', 'Country', 'country', [
      'USA / blue',
      'Federated States of Micronesia / teal',
      'N Mariana Islands / cyan',
      'Palau / green',
      'Thailand / violet',
    ]),
    select('traffic', 'Traffic in 2008', 'traffic_2008', [
      'Very busy / red',
      'Busy / orange',
      'Steady / gray',
      'Quiet / green',
      'No reported flights / indigo',
    ]),
    number('departures', 'Departures in 2008', 'departures_2008', { min: 0, decimals: 0 }),
    number('destinations', 'Destinations in 2008', 'destinations_2008', { min: 0, decimals: 0 }),
    plain('reportedFlights', 'Has reported flights', 'checkbox', 'reported_flights'),
    number('latitude', 'Latitude', 'latitude', { min: -90, max: 90 }),
    number('longitude', 'Longitude', 'longitude', { min: -180, max: 180 }),
    ...NOTES,
  ],
}

const routes: SampleCollection = {
  name: 'routes',
  label: 'Routes',
  icon: 'globe',
  color: 'indigo',
  group: 'Air traffic',
  file: 'data/routes.csv',
  titleField: 'title',
  fields: [
    title('Route', 'route'),
    relation('origin', 'From', 'origin', 'airports'),
    relation('destination', 'To', 'destination', 'airports'),
    number('flights', 'Flights in 2008', 'flights_2008', { min: 0, decimals: 0 }),
    number('flightsPerDay', 'Flights per day', 'flights_per_day', { min: 0, decimals: 2 }),
    number('distance', 'Distance (km)', 'distance_km', { min: 0, decimals: 1 }),
    select('reach', 'Reach', 'reach', [
      'Under 500 km / olive',
      '500 to 1,500 km / teal',
      '1,500 to 3,000 km / blue',
      '3,000 km and more / violet',
    ]),
    plain('bothWays', 'Flown both ways', 'checkbox', 'both_ways'),
  ],
}

const OPERATOR_COLORS = ['blue', 'cyan', 'orange', 'green', 'indigo', 'violet', 'amber'] as const

const operators: SampleCollection = {
  name: 'operators',
  label: 'Aircraft operators',
  icon: 'plane',
  color: 'blue',
  group: 'Air traffic',
  file: 'data/operators.csv',
  titleField: 'title',
  fields: [
    title('Operator', 'operator'),
    select(
      'kind',
      'Kind',
      'kind',
      OPERATOR_KINDS.map((kind, index) => `${kind} / ${OPERATOR_COLORS[index]}`),
    ),
    number('strikes', 'Strikes', 'strikes', { min: 0, decimals: 0 }),
    number('totalCost', 'Total cost ($)', 'repair_and_other_cost', { min: 0, decimals: 0 }),
    number('aircraftTypes', 'Aircraft types', 'aircraft_types', { min: 0, decimals: 0 }),
    plain('firstReport', 'First report', 'date', 'first_report'),
    plain('lastReport', 'Last report', 'date', 'last_report'),
    manyRelation('mostReportsFrom', 'Most reports from', 'most_reports_from', 'airports'),
    ...NOTES,
  ],
}

const WILDLIFE_SIZES = ['Small / olive', 'Medium / amber', 'Large / red'] as const

const species: SampleCollection = {
  name: 'species',
  label: 'Wildlife',
  icon: 'paw',
  color: 'amber',
  group: 'Wildlife',
  file: 'data/species.csv',
  titleField: 'title',
  fields: [
    title('Animal', 'species'),
    select('group', 'Group', 'group', [
      'Waterfowl / blue',
      'Herons / teal',
      'Birds of prey / red',
      'Gulls and waders / cyan',
      'Pigeons and doves / violet',
      'Swifts and nightjars / indigo',
      'Songbirds and crows / green',
      'Mammals / orange',
      'Not identified / amber',
    ]),
    plain('scientificName', 'Scientific name', 'text', 'scientific_name'),
    plain('family', 'Family', 'text', 'family'),
    select('usualSize', 'Usual size', 'usual_size', WILDLIFE_SIZES),
    plain('introduced', 'Introduced by people', 'checkbox', 'introduced'),
    number('strikes', 'Strikes', 'strikes', { min: 0, decimals: 0 }),
    number('shareWithDamage', 'Strikes with damage (%)', 'share_with_damage', { min: 0, max: 100, decimals: 1 }),
    number('totalCost', 'Total cost ($)', 'total_cost', { min: 0, decimals: 0 }),
    manyRelation('struckIn', 'Struck in', 'struck_in', 'states'),
    plain('lookFor', 'What to look for', 'long-text', 'what_to_look_for'),
    ...NOTES,
  ],
}

const strikes: SampleCollection = {
  name: 'strikes',
  label: 'Wildlife strikes',
  icon: 'bug',
  color: 'red',
  group: 'Wildlife',
  file: 'data/strikes.csv',
  titleField: 'title',
  fields: [
    title('Report', 'Report'),
    plain('date', 'Date', 'date', 'Flight Date'),
    relation('airport', 'Airport', 'Airport', 'airports'),
    relation('animal', 'Animal', 'Wildlife Species', 'species'),
    select('size', 'Wildlife size', 'Wildlife Size', WILDLIFE_SIZES),
    plain('identified', 'Identified', 'checkbox', 'Identified'),
    // The single letters are codes from older reports; the sample keeps them as in the source.
    select('damage', 'Damage', 'Effect Amount of damage', [
      'None / green',
      'Minor / gray',
      'Medium / orange',
      'Substantial / red',
      'B / violet',
      'C / pink',
    ]),
    number('totalCost', 'Total cost ($)', 'Cost Total $', { min: 0, decimals: 0 }),
    number('repairCost', 'Repair cost ($)', 'Cost Repair', { min: 0, decimals: 0 }),
    number('otherCost', 'Other cost ($)', 'Cost Other', { min: 0, decimals: 0 }),
    select('phase', 'Phase of flight', 'Phase of flight', [
      'Parked / indigo',
      'Taxi / violet',
      'Take-off run / red',
      'Climb / orange',
      'Descent / blue',
      'Approach / teal',
      'Landing Roll / green',
    ]),
    select('timeOfDay', 'Time of day', 'Time of day', [
      'Dawn / amber',
      'Day / cyan',
      'Dusk / orange',
      'Night / indigo',
    ]),
    number('speed', 'Speed (knots)', 'Speed IAS in knots', { min: 0 }),
    relation('operator', 'Operator', 'Aircraft Airline Operator', 'operators'),
    plain('aircraft', 'Aircraft', 'text', 'Aircraft Make Model'),
    plain('airportAsReported', 'Airport as reported', 'text', 'Airport Name'),
    ...NOTES,
  ],
}

/** Collections of the sample; each comes after the collections that its relations link to. */
export const SAMPLE_COLLECTIONS: readonly SampleCollection[] = [states, airports, routes, operators, species, strikes]
