import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  loadSampleTranslations,
  readSampleDescription,
  type SampleCollection,
  samplePath,
  type Translate,
  translateDescription,
  translateRecords,
} from './sample-translations.ts'

const collections = await readSampleDescription()

async function recordsOf(described: SampleCollection, inWords: Translate): Promise<string> {
  return (await translateRecords(described, inWords).toArray()).join('')
}

// The test below verifies this shape.
const germanTexts = Object.keys(JSON.parse(readFileSync(samplePath('de.json'), 'utf8')) as object)

const SAME_IN_BOTH = /^(?:Name|Region|Status|[BC]|USA|Palau|Thailand)$/

test('German sample translations are complete and contain no unused text', async () => {
  const inGerman = await loadSampleTranslations('de')
  const requested = new Set<string>()
  const listen: Translate = (text) => {
    requested.add(text)
    return text
  }
  for (const described of collections) {
    translateDescription(described, listen)
    await recordsOf(described, listen)
  }
  const labels = collections.flatMap(({ label, group, fields, pictures }) => [
    label,
    group,
    ...pictures.map(({ name }) => name),
    ...fields.flatMap(({ field }) => [field.label, ...(field.options.choices ?? []).map(({ name }) => name)]),
  ])
  expect(labels.filter((text) => inGerman(text) === text && !SAME_IN_BOTH.test(text))).toEqual([])
  expect(germanTexts.filter((text) => !requested.has(text) && !saidInside(requested, text))).toEqual([])
  expect(collections.flatMap(({ documents }) => documents.filter(({ document }) => !('de' in document)))).toEqual([])
})

/** Whether the text occurs in a report name or is one of several values in a cell. */
const saidInside = (requested: ReadonlySet<string>, text: string): boolean =>
  [...requested].some((each) => each.split('; ').includes(text) || each.replace(/^\d{4}-\d{4} /, '') === text)

test('German option names in a field and field names in a collection are distinct', async () => {
  const inGerman = await loadSampleTranslations('de')
  for (const { fields } of collections.map((described) => translateDescription(described, inGerman))) {
    const choices = fields.map(({ field }) => (field.options.choices ?? []).map(({ name }) => name))
    for (const names of [fields.map(({ field }) => field.label), ...choices]) {
      expect(new Set(names).size, names.join(', ')).toBe(names.length)
    }
  }
})

test('German samples translate words in records and keep proper names', async () => {
  const inGerman = await loadSampleTranslations('de')
  const csvOf = async (name: string): Promise<readonly string[]> => {
    const described = collections.find((each) => each.name === name)
    return described ? (await recordsOf(described, inGerman)).split('\r\n') : []
  }
  const [airports, strikes, species] = await Promise.all(['airports', 'strikes', 'species'].map(csvOf))
  expect(airports?.[0]).toContain('airport,iata,city,state')
  expect(airports?.find((line) => line.includes(',LAX,'))).toMatch(
    /^Los Angeles International .*,Kalifornien,USA,.*Sehr stark/,
  )
  expect(strikes?.some((line) => line.startsWith('1998-0060 Unbekannter Vogel - groß,'))).toBe(true)
  expect(species?.find((line) => line.startsWith('Kanadagans,'))).toMatch(
    /^Kanadagans,Wasservögel,Branta canadensis,.*Kalifornien; Colorado/,
  )
})

test('English samples keep their records unchanged', async () => {
  const inEnglish = await loadSampleTranslations('en')
  const [states] = collections
  if (!states) throw new Error('There is no collection in the sample.')
  expect(translateDescription(states, inEnglish)).toEqual(states)
  expect(await recordsOf(states, inEnglish)).toMatch(/^name,code,.*\r\nAlabama,AL,State,South,/)
})
