import { demand } from '#tests/attack/workload/client.ts'
import type { Planted } from './plant-definitions.ts'
import type { Kept, Planter } from './planter.ts'

/** The IDs of imports that have a page, and a collection that was created by an import. */
type Imported = { readonly pages: readonly string[]; readonly collection: string }

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`

export async function plantImports({ client, put, round }: Planter, { at }: Planted): Promise<Imported> {
  await put('cell of an import', (text, nth) => [
    'POST',
    `${at}/imports?name=import${nth}.csv`,
    `title,text,number\n${cell(text)},${cell(text)},1\n`,
  ])
  const refused = await put('name of an import', (text, nth) => [
    'POST',
    `${at}/imports?name=${encodeURIComponent(text.toWellFormed())}`,
    `title,number\nimport ${nth},none\n`,
  ])
  const looked = await put('head of an import', (text) => [
    'POST',
    '/api/imports?name=heads.csv',
    `${cell(text)},${cell(`${text} 2`)}\nx,y\n`,
  ])
  const columns = { onBadRow: 'skip', hasHeader: true }
  const begun = () => client.ask('POST', '/api/imports?name=new.csv', 'a\nx\n')
  const start = async (made: object, newField: object): Promise<[string, string, object]> => {
    const { id } = demand(await begun(), 201).body
    const body = { ...columns, into: { newCollection: made }, columns: [{ newField: { kind: 'text', ...newField } }] }
    return ['POST', `/api/imports/${id}/start`, body]
  }
  const named = (part: string, nth: number) => ({ label: 'Imported', name: `round${round}_${part}${nth}` })
  await put('startImport.into.newCollection.label', (text) => start({ label: text }, { label: 'A' }))
  await put('startImport.columns.*.newField.label', (text, nth) => start(named('labelled', nth), { label: text }))
  const made = await put('startImport.columns.*.newField.default', (text, nth) =>
    start(named('imported', nth), { label: 'A', default: text }),
  )
  const [first] = await Promise.all(made.slice(0, 1).map(({ id }) => ended(client, id)))
  const { name } = demand(await client.ask('GET', `/api/collections/${first?.collection}`), 200).body
  // A file name is cut to the part after its last slash, so the text may be missing from it.
  const called = refused.find(({ fileName }) => fileName.includes('pwned'))
  return { pages: [looked[0], called].flatMap((one) => one?.id ?? []), collection: name }
}

async function ended(client: Planter['client'], id: string): Promise<Kept> {
  const { body } = demand(await client.ask('GET', `/api/imports/${id}`), 200)
  return body.state === 'running' ? ended(client, id) : body
}

/** Changes many records at once; returns their IDs. */
export async function plantBulk({ client, put, count }: Planter, { at }: Planted): Promise<readonly string[]> {
  const titles = Array.from({ length: count }, (_, nth) => `bulk ${nth}`)
  const create = titles.map((title) => ({ values: { title, state: 'One' } }))
  const { created } = demand(await client.ask('POST', `${at}/records/bulk`, { create }), 200).body
  const whereOf = (nth: number) => ({ where: { filter: `title = "bulk ${nth}"` } })
  await put('bulkChange.update.values.*', (text, nth) => [
    'POST',
    `${at}/records/bulk`,
    { ...whereOf(nth), update: { values: { text } } },
  ])
  await put('bulkChange.create.*.values.*', (text) => [
    'POST',
    `${at}/records/bulk`,
    { create: [{ values: { title: text } }] },
  ])
  await put('bulkChange.transition.note', (text, nth) => [
    'POST',
    `${at}/records/bulk`,
    { ...whereOf(nth), transition: { to: 'Two', note: text } },
  ])
  return created
}
