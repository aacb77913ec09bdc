import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type SampleCollection, readSampleDescription, samplePath } from './sample-description.ts'
import {
  translateDescription,
  type Translate,
  translateRecords,
  loadSampleTranslations,
} from './sample-translations.ts'

const collections = await readSampleDescription()

async function recordsOf(described: SampleCollection, inWords: Translate): Promise<string> {
  return (await translateRecords(described, inWords).toArray()).join('')
}

// The test below is what holds the file to this shape.
const germanTexts = Object.keys(JSON.parse(readFileSync(samplePath('de.json'), 'utf8')) as object)

/** Names that are the same in both languages. */
const SAME_IN_BOTH = /^(?:Name|Region|Status|[BC]|USA|Palau|Thailand)$/

test('the sample is complete in German, and nothing in its catalogue is said by nobody', async () => {
  const inGerman = await loadSampleTranslations('de')
  const asked = new Set<string>()
  const listen: Translate = (text) => {
    asked.add(text)
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
  expect(germanTexts.filter((text) => !asked.has(text) && !saidInside(asked, text))).toEqual([])
  expect(collections.flatMap(({ documents }) => documents.filter(({ document }) => !('de' in document)))).toEqual([])
})

/** Behind the number of a report, or one of several in a cell. */
const saidInside = (asked: ReadonlySet<string>, text: string): boolean =>
  [...asked].some((each) => each.split('; ').includes(text) || each.replace(/^\d{4}-\d{4} /, '') === text)

test('two choices of one field, or two fields of one collection, never get the same name in German', async () => {
  const inGerman = await loadSampleTranslations('de')
  for (const { fields } of collections.map((described) => translateDescription(described, inGerman))) {
    const choices = fields.map(({ field }) => (field.options.choices ?? []).map(({ name }) => name))
    for (const names of [fields.map(({ field }) => field.label), ...choices]) {
      expect(new Set(names).size, names.join(', ')).toBe(names.length)
    }
  }
})

test('records are said in German where they are words, and keep what bears one name everywhere', async () => {
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

test('in English the records are what the files say', async () => {
  const inEnglish = await loadSampleTranslations('en')
  const [states] = collections
  if (!states) throw new Error('There is no collection in the sample.')
  expect(translateDescription(states, inEnglish)).toEqual(states)
  expect(await recordsOf(states, inEnglish)).toMatch(/^name,code,.*\r\nAlabama,AL,State,South,/)
})
