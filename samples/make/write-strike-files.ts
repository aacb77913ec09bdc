import { writeCsv } from './csv-files.ts'
import { operatorKind } from './operators.ts'
import type { Sources, Strike } from './sources.ts'
import { ANIMALS } from './species.ts'

/** Writes the CSV files of operators, animals and strikes. */
export function writeStrikeFiles(folder: URL, { strikes }: Sources): void {
  writeOperators(folder, strikes)
  writeSpecies(folder, strikes)
  writeStrikes(folder, strikes)
}

function writeOperators(folder: URL, strikes: readonly Strike[]): void {
  const names = [...new Set(strikes.map((strike) => strike.operator))].toSorted()
  writeCsv(
    new URL('operators.csv', folder),
    [
      'operator',
      'kind',
      'strikes',
      'repair_and_other_cost',
      'aircraft_types',
      'first_report',
      'last_report',
      'most_reports_from',
    ],
    names.map((name) => {
      const own = strikes.filter((strike) => strike.operator === name)
      return [
        name,
        operatorKind(name),
        own.length,
        totalCost(own),
        new Set(own.map((strike) => strike.line['Aircraft Make Model'])).size,
        own[0]?.day ?? '',
        own.at(-1)?.day ?? '',
        mostFrequent(own.flatMap((strike) => strike.airport?.title ?? []))
          .slice(0, 3)
          .join('; '),
      ]
    }),
  )
}

function writeSpecies(folder: URL, strikes: readonly Strike[]): void {
  const animals = Object.entries(ANIMALS).toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeCsv(
    new URL('species.csv', folder),
    [
      'species',
      'group',
      'scientific_name',
      'family',
      'usual_size',
      'introduced',
      'strikes',
      'share_with_damage',
      'total_cost',
      'struck_in',
      'what_to_look_for',
    ],
    animals.map(([name, animal]) => {
      const own = strikes.filter((strike) => strike.species === name)
      const damaged = own.filter((strike) => strike.line['Effect Amount of damage'] !== 'None')
      return [
        name,
        animal.group,
        animal.scientificName,
        animal.family,
        mostFrequent(own.flatMap((strike) => strike.line['Wildlife Size'] ?? []))[0] ?? '',
        animal.isIntroduced ?? false,
        own.length,
        own.length === 0 ? '' : ((100 * damaged.length) / own.length).toFixed(1),
        totalCost(own),
        mostFrequent(own.flatMap((strike) => strike.airport?.state || []))
          .toSorted()
          .join('; '),
        animal.lookFor,
      ]
    }),
  )
}

function writeStrikes(folder: URL, strikes: readonly Strike[]): void {
  const asReported = [
    'Airport Name',
    'Flight Date',
    'Time of day',
    'Phase of flight',
    'Speed IAS in knots',
    'Aircraft Make Model',
    'Aircraft Airline Operator',
    'Wildlife Species',
    'Wildlife Size',
    'Effect Amount of damage',
    'Cost Repair',
    'Cost Other',
    'Cost Total $',
  ]
  writeCsv(
    new URL('strikes.csv', folder),
    ['Report', ...asReported, 'Airport', 'Identified'],
    strikes.map((strike) => [
      strike.title,
      ...asReported.map((column) => strike.line[column] ?? ''),
      strike.airport?.title ?? '',
      ANIMALS[strike.species]?.group !== 'Not identified',
    ]),
  )
}

const totalCost = (strikes: readonly Strike[]): number => strikes.reduce((sum, strike) => sum + strike.cost, 0)

/** Distinct texts, most frequent first, then alphabetically. */
function mostFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).map(([text]) => text)
}
