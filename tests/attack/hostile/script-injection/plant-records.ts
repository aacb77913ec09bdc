import { card, doc, person, picture, recordMention, words } from '#tests/support/documents/documents.ts'
import { demand } from '#tests/attack/workload/client.ts'
import type { Planted } from './plant-definitions.ts'
import { PLANTED_FILES } from './planted-files.ts'
import type { Kept, Planter } from './planter.ts'

export type Named = { readonly people: readonly string[]; readonly shelves: { id: string; records: readonly string[] } }

/** Creates a record for each text, stored in every field and in every form; returns the record IDs. */
export async function plantRecords(
  planter: Planter,
  { at, name, definition }: Planted,
  { people, shelves }: Named,
): Promise<readonly string[]> {
  const { client, put, count } = planter
  const ids: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const values = { title: 'x', state: 'One', relation: shelves.records, user: people }
    ids.push(demand(await client.ask('POST', `${at}/records`, { values }), 201).body.id)
  }
  const write = (nth: number, values: object) => ['PATCH', `${at}/records/${ids[nth]}`, { values }] as const
  const into = (field: string, form: (text: string) => unknown = (text) => text) =>
    put(`updateRecord.values.* of ${field}`, (text, nth) => [...write(nth, { [field]: form(text) })])
  for (const field of ['title', 'text', 'longtext', 'email', 'url', 'phone', 'date', 'number']) await into(field)
  await choose(planter, { at, definition }, ids)
  await into('email', (text) => `"${text}"@example.org`)
  await into('url', (text) => `https://example.org/${text}`)
  await into('json', (text) => ({ [text]: [text] }))
  await into('richtext', (text) => ({ html: `<p>${text}</p>` }))
  await into('markdown', (text) => ({ markdown: text }))
  await into('richtext', (text) => doc({ type: 'codeBlock', attrs: {}, content: [{ type: 'text', text }] }))
  const inside = await put('name of a file in a document', (text) => [
    'POST',
    addressOf(name, 'document'),
    formOf(text),
  ])
  await into('document', (text) => documentOf(text, { files: inside, people, shelves }))
  const files = await plantFiles(planter, name)
  for (const [nth, id] of ids.entries()) {
    const some = files.filter((_, at) => at % ids.length === nth)
    await client.ask('PATCH', `${at}/records/${id}`, { values: { files: nth === 0 ? files : some } })
  }
  await plantMoves(planter, { at, definition }, ids)
  for (const id of ids.slice(0, 3)) await planter.own.ask('POST', '/api/favourites', { collection: name, record: id })
  return ids
}

/** A document that contains a text, links to it, and embeds everything named after a text. */
const documentOf = (text: string, { files, people, shelves }: Named & { readonly files: readonly string[] }) =>
  doc(
    words(text),
    ...files.slice(0, 2).map((file) => card(file)),
    ...files.slice(2, 4).map((file) => picture(file, { alt: text })),
    ...people.slice(0, 3).map((id) => person(id)),
    ...shelves.records.slice(0, 3).map((id) => recordMention(shelves.id, id)),
  )

const addressOf = (collection: string, field: string): string => `/api/uploads?collection=${collection}&field=${field}`

function formOf(name: string, type = '', content = 'bytes'): FormData {
  const form = new FormData()
  form.append('filepond', new Blob([content], { type }), name)
  return form
}

/** Selects the options named after the texts. */
async function choose(
  { client }: Planter,
  { at, definition }: Pick<Planted, 'at' | 'definition'>,
  ids: readonly string[],
) {
  const { fields } = await definition()
  const choicesOf = (kind: string) => fields.find((one: Kept) => one.kind === kind).options.choices
  for (const [nth, id] of ids.entries()) {
    const [select, ...many] = [choicesOf('select')[nth + 1], ...choicesOf('multi-select').slice(1, 3)]
    const values = { select: select?.name ?? 'One', multiselect: many.map(({ name }: Kept) => name) }
    demand(await client.ask('PATCH', `${at}/records/${id}`, { values }), 200)
  }
}

async function plantFiles({ put, send }: Planter, collection: string): Promise<readonly string[]> {
  const address = addressOf(collection, 'files')
  const named = await put('name of a file', (text, nth) => {
    const { type, content } = PLANTED_FILES[nth % PLANTED_FILES.length] ?? { type: '', content: '' }
    return ['POST', address, formOf(text, type, content)]
  })
  const reported = await put('type of a file', (text) => [
    'POST',
    address,
    formOf('told.html', text, '<script>x</script>'),
  ])
  const filled: string[] = []
  for (const { name, type, content } of PLANTED_FILES) {
    filled.push(...(await send(`content of ${name}`, content, (text) => ['POST', address, formOf(name, type, text)])))
  }
  return [...named, ...reported, ...filled]
}

/** Moves the records to another status, with a note. */
async function plantMoves(
  { put }: Planter,
  { at, definition }: Pick<Planted, 'at' | 'definition'>,
  ids: readonly string[],
): Promise<void> {
  const { fields } = await definition()
  const [, two] = fields.find(({ kind }: Kept) => kind === 'state').options.choices
  await put('moveRecord.note', (text, nth) => [
    'POST',
    `${at}/records/${ids[nth]}/transitions`,
    { to: two.id, note: text },
  ])
}
