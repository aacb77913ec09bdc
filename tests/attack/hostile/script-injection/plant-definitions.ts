import { FIELD_KINDS, isEntered } from '#domain/fields/field.ts'
import { demand } from '#tests/attack/workload/client.ts'
import type { Kept, Planter } from './planter.ts'

/** The collection of a round: its name, its ID, and IDs of its fields and options. */
export type Planted = {
  readonly name: string
  readonly at: string
  readonly definition: () => Promise<Kept>
  /** Views that filter, search and color by the texts. */
  readonly views: readonly string[]
  /** Collections whose fields use the texts as default values and patterns. */
  readonly definitions: readonly string[]
}

/** The properties of `Planted` that are available from the start. */
type UploadTarget = Pick<Planted, 'name' | 'at' | 'definition'>

const OPTIONS: { readonly [kind: string]: object } = {
  select: { choices: [{ name: 'One' }] },
  'multi-select': { choices: [{ name: 'One' }] },
  state: { choices: [{ name: 'One' }, { name: 'Two' }] },
  relation: { collection: 'shelves', many: true },
  user: { many: true },
  formula: { formula: '1 + 1' },
}

const fieldOf = (kind: string): string => kind.replaceAll('-', '')

/** Creates a collection with a field of every kind, and puts a text into every string of its definition. */
export async function plantDefinition(planter: Planter): Promise<Planted> {
  const { client, round } = planter
  const name = `round${round}`
  const at = `/api/collections/${name}`
  const kinds = FIELD_KINDS.filter((kind) => isEntered({ kind })).map((kind) => ({
    name: fieldOf(kind),
    label: kind,
    kind,
    options: OPTIONS[kind] ?? {},
  }))
  const more = ['markdown', 'document'].map((form) => ({ name: form, label: form, kind: 'rich-text' }))
  const patterned = { name: 'patterned', label: 'Patterned', kind: 'text' }
  const fields = [{ name: 'title', label: 'Title', kind: 'text' }, ...kinds, ...more, patterned]
  demand(await client.ask('POST', '/api/collections', { name, label: `Round ${round}`, fields }), 201)
  const begun = await plantCollections(planter)
  const planted = { name, at, definition: async () => demand(await client.ask('GET', at), 200).body }
  await plantFields(planter, planted)
  await plantWorkflow(planter, planted)
  await plantRules(planter, planted)
  const views = await plantViews(planter, planted)
  await planter.put('changeCollection.label', (text) => ['PATCH', at, { label: text }])
  await planter.put('changeCollection.group', (text) => ['PATCH', at, { group: text }])
  await planter.put('changeCollection.layout.sections.*.title', (text) => [
    'PATCH',
    at,
    { layout: { sections: [{ title: text, fields: ['text'] }] } },
  ])
  return { ...planted, views, definitions: [name, ...begun] }
}

/**
 * Creates collections with all their fields in one request, and with groups; returns one whose field has a text as its
 * default value.
 */
async function plantCollections({ client, put, round }: Planter): Promise<readonly string[]> {
  const field = { label: 'Title', kind: 'text' }
  const made = (nth: number, part: string) => ({ name: `round${round}_${part}${nth}`, label: 'x' })
  await put('createCollection.fields.*.label', (text, nth) => [
    'POST',
    '/api/collections',
    { ...made(nth, 'label'), fields: [{ ...field, label: text }] },
  ])
  const described = await put('createCollection.fields.*.description', (text, nth) => [
    'POST',
    '/api/collections',
    { ...made(nth, 'description'), fields: [{ ...field, description: text }] },
  ])
  const begun = await put('createCollection.fields.*.default', (text, nth) => [
    'POST',
    '/api/collections',
    { ...made(nth, 'default'), fields: [{ ...field, default: text }] },
  ])
  const { items } = demand(await client.ask('GET', '/api/collections'), 200).body
  const ids = items.map(({ id }: Kept) => id).slice(-2)
  await put('arrangeCollections.groups.*.name', (text) => [
    'PUT',
    '/api/sidebar',
    { groups: [{ name: text, collections: ids }] },
  ])
  return [begun, described].flatMap((made) => made.slice(0, 1).map(({ name }) => name))
}

async function plantFields({ client, put }: Planter, { name, at, definition }: UploadTarget): Promise<void> {
  const { fields } = await definition()
  await put('changeField.label', (text, nth) => [
    'PATCH',
    `${at}/fields/${fields[nth % fields.length].name}`,
    { label: text },
  ])
  await put('changeField.description', (text, nth) => [
    'PATCH',
    `${at}/fields/${fields[nth % fields.length].name}`,
    { description: text },
  ])
  await put('changeField.name', (text) => ['PATCH', `${at}/fields/patterned`, { name: text }])
  await put('changeField.default', (text) => ['PATCH', `${at}/fields/longtext`, { default: text }])
  await put('changeField.options.pattern', (text) => [
    'PATCH',
    `${at}/fields/patterned`,
    { options: { pattern: text } },
  ])
  await put('changeField.defaultFormula', (text) => [
    'PATCH',
    `${at}/fields/email`,
    { defaultFormula: JSON.stringify(text) },
  ])
  await put('addField.options.formula', (text, nth) => [
    'POST',
    `${at}/fields`,
    {
      name: `formula${nth}`,
      label: 'Formula',
      kind: 'formula',
      options: { formula: `title & ${JSON.stringify(text)}` },
    },
  ])
  await put('addField.reverse.label', (text, nth) => [
    'POST',
    `${at}/fields`,
    { name: `own${nth}`, label: 'Own', kind: 'relation', options: { collection: name }, reverse: { label: text } },
  ])
  await put('changeField.options.accept.*', (text) => ['PATCH', `${at}/fields/files`, { options: { accept: [text] } }])
  for (const kind of ['select', 'multi-select', 'state']) {
    const field = `${at}/fields/${fieldOf(kind)}`
    await put(`changeField.options.choices.*.name of ${kind}`, async (text) => {
      const { fields: now } = demand(await client.ask('GET', at), 200).body
      const { choices } = now.find((one: Kept) => one.kind === kind).options
      return ['PATCH', field, { options: { choices: [...choices, { name: text }] } }]
    })
  }
}

async function plantWorkflow({ client, put }: Planter, { at, definition }: UploadTarget): Promise<void> {
  const { fields } = await definition()
  const [one, ...others] = fields.find(({ kind }: Kept) => kind === 'state').options.choices
  await put('changeCollection.workflow.transitions.*.name', async (text, nth) => {
    const { workflow } = demand(await client.ask('GET', at), 200).body
    const move = { name: text, from: one.id, to: others[nth % others.length].id, note: 'required' }
    return ['PATCH', at, { workflow: { transitions: [...(workflow?.transitions ?? []), move], states: {} } }]
  })
}

async function plantRules({ client, put }: Planter, { at }: UploadTarget): Promise<void> {
  const append = async (rule: object) => {
    const { rules = [] } = demand(await client.ask('GET', at), 200).body
    return [...rules, rule]
  }
  await put('changeCollection.rules.*.message', async (text) => [
    'PATCH',
    at,
    { rules: await append({ then: 'number is empty || number >= 0', message: text, field: null }) },
  ])
  await put('changeCollection.rules.*.then', async (text) => {
    const then = { field: 'text', op: '!=', value: text }
    return ['PATCH', at, { rules: await append({ then, message: 'Not this one.', field: null }) }]
  })
}

/** Saves views; returns one of each kind. */
async function plantViews({ own, put }: Planter, { name, at }: UploadTarget): Promise<readonly string[]> {
  const views = await put('createView.name', (text) => ['POST', `${at}/views`, { name: text, isShared: true }])
  const filtered = await put('createView.query.filter', (text, nth) => {
    const filter = { field: 'text', op: '=', value: text }
    return ['POST', `${at}/views`, { name: `Filter ${nth}`, isShared: true, query: { filter } }]
  })
  const searched = await put('createView.query.search', (text, nth) => [
    'POST',
    `${at}/views`,
    { name: `Search ${nth}`, isShared: true, query: { search: text } },
  ])
  const colored = await put('createView.look.colors.*.filter', (text, nth) => {
    const colors = [{ filter: { any: [{ field: 'text', op: '!=', value: text }] }, color: 'red' }]
    return ['POST', `${at}/views`, { name: `Color ${nth}`, isShared: true, look: { colors } }]
  })
  for (const { id } of views) await own.ask('POST', '/api/favourites', { collection: name, view: id })
  await put('createDashboard.name', (text) => [
    'POST',
    '/api/dashboards',
    { name: text, isShared: true, items: views.slice(0, 1).map(({ id }) => ({ view: id })) },
  ])
  return [filtered, searched, colored].flatMap((kept) => kept.slice(0, 1).map(({ id }) => id))
}
