import { decompressionBomb } from '#tests/support/files/image-samples.ts'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import {
  OPTIONS,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRollup,
  type WorldValue,
  NO_RULES,
  emptyOf,
  isPicture,
} from './world.ts'
import type { Plan, PlannedRecord } from './plan-world.ts'
import { isRollup, isVirtual, settled } from './virtual-fields.ts'

export type Builder = {
  readonly owner: Caller
  readonly people: ReadonlyMap<string, string>
}

export type BuiltWorld = {
  readonly world: World
  readonly idOf: (collection: string) => string
  readonly fieldIdOf: (collection: string, field: string) => string
}

export async function buildWorld({ owner, people }: Builder, plan: Plan): Promise<BuiltWorld> {
  const ids = new Map<string, string>()
  // Relations can point to later collections, so they are added when all collections exist.
  for (const { name, label, title, fields } of plan.collections) {
    const plain = fields.filter((field) => !isLater(field)).map(fieldInput)
    const made = await accepted(owner.post('/api/collections', { name, label, fields: plain, titleField: title }), 201)
    ids.set(name, made.id)
  }
  for (const isNow of [isStoredRelation, isOfRecord, isRollup])
    for (const { name, fields } of plan.collections)
      for (const field of fields.filter(isNow))
        await accepted(owner.post(`/api/collections/${name}/fields`, fieldInput(field)), 201)
  for (const { name, title } of plan.collections) {
    await accepted(owner.patch(`/api/collections/${name}`, { titleField: title }), 200)
    const { fields: all } = await accepted(owner.get(`/api/collections/${name}`), 200)
    for (const { name: own, id } of all) ids.set(`${name}.${own}`, id)
  }

  const recordIds = new Map<string, readonly string[]>()
  for (const { name, records } of plan.collections) {
    const create = records.map(({ values }) => ({ values }))
    const { created } = await accepted(owner.post(`/api/collections/${name}/records/bulk`, { create }), 200)
    recordIds.set(name, created)
  }
  const fileNames = new Map<string, string>()
  const collections: WorldCollection[] = []
  for (const collection of plan.collections) {
    const records = await linkRecords(owner, collection, recordIds, fileNames)
    collections.push({ ...collection, records, laws: NO_RULES })
  }
  const idOf = (name: string): string => ids.get(name) ?? ''
  return {
    world: settled({ collections, fileNames, sent: new Map(), people, zone: 'UTC', me: null, views: new Map() }),
    idOf,
    fieldIdOf: (name, field) => idOf(`${name}.${field}`),
  }
}

const isStoredRelation = (field: WorldField): boolean => field.kind === 'relation' && !isVirtual(field)

const isOfRecord = (field: WorldField): boolean => isVirtual(field) && !isRollup(field)

const isLater = (field: WorldField): boolean => field.kind === 'relation' || isVirtual(field)

const fieldInput = (field: WorldField): object => (isVirtual(field) ? virtualInput(field) : storedInput(field))

const virtualInput = ({ name, label, target, reverse, formula, rollup }: WorldField): object => ({
  name,
  label,
  ...(rollup
    ? rollupInput(rollup)
    : formula
      ? { kind: 'formula', options: { formula: formula.text } }
      : { kind: 'reverse', options: { collection: target, relation: reverse } }),
})

function rollupInput({ path, field, summary, formula }: WorldRollup): object {
  if (formula) return { kind: 'formula', options: { formula: formula.text } }
  return field === null
    ? { kind: 'count', options: { path: [path] } }
    : { kind: 'rollup', options: { path: [path], field, function: summary } }
}

const storedInput = ({ name, label, kind, many, target, isUnique = false }: WorldField): object => ({
  name,
  label,
  kind,
  unique: isUnique,
  ...(kind === 'select' || kind === 'multi-select' || kind === 'state'
    ? { options: { choices: OPTIONS.map((choice) => ({ name: choice })) } }
    : {}),
  ...(kind === 'relation' ? { options: { collection: target, many } } : {}),
  ...(kind === 'user' ? { options: { many } } : {}),
})

type Planned = Plan['collections'][number]

async function linkRecords(
  owner: Caller,
  { name, fields, records }: Planned,
  recordIds: ReadonlyMap<string, readonly string[]>,
  fileNames: Map<string, string>,
): Promise<WorldCollection['records']> {
  const whole = []
  for (const [at, record] of records.entries()) {
    const id = recordIds.get(name)?.[at] ?? ''
    const links = linksOf(record, fields, recordIds)
    for (const [field, names] of Object.entries(record.files)) {
      const sent = []
      for (const fileName of names)
        sent.push(
          await sendFile(
            owner,
            { collection: name, field },
            fileName,
            isPicture(fileName) ? decompressionBomb(16) : `${id} ${fileName}`,
          ),
        )
      for (const [place, file] of sent.entries()) fileNames.set(file, names[place] ?? '')
      links[field] = sent
    }
    whole.push({
      id,
      createdBy: owner.userId ?? '',
      links,
      values: {
        ...Object.fromEntries(fields.map((field) => [field.name, emptyOf(field)])),
        ...record.values,
        ...links,
      },
    })
  }
  const update = whole
    .filter(({ links }) => Object.keys(links).length > 0)
    .map(({ id, links }) => ({ id, values: links }))
  await accepted(owner.post(`/api/collections/${name}/records/bulk`, { update }), 200)
  return whole
}

function linksOf(
  { links }: PlannedRecord,
  fields: readonly WorldField[],
  recordIds: ReadonlyMap<string, readonly string[]>,
): Record<string, WorldValue> {
  const found = fields.flatMap(({ name, target, many }) => {
    const places = links[name]
    if (places === undefined) return []
    const ids = places.flatMap((place) => recordIds.get(target)?.[place] ?? [])
    return [[name, many ? ids : (ids[0] ?? null)] as const]
  })
  return Object.fromEntries(found)
}

async function accepted(answer: Promise<Answer>, status: number): Promise<Answer['body']> {
  const { status: found, text, body } = await answer
  if (found !== status) throw new Error(`The oracle could not make its world: ${text}`)
  return body
}

async function sendFile(
  owner: Caller,
  place: Readonly<Record<string, string>>,
  name: string,
  bytes: Buffer | string,
): Promise<string> {
  const raw = Buffer.from(bytes)
  const { status, text, headers } = await owner.request('POST', `/api/tus?${new URLSearchParams(place)}`, {
    raw,
    headers: sendingHeaders(name, raw.length, isPicture(name) ? 'image/png' : 'text/plain'),
  })
  if (status !== 201) throw new Error(`The oracle could not send a file: ${text}`)
  return String(headers['location']).split('/').at(-1) ?? ''
}

export const sendingHeaders = (name: string, bytes: number, type: string): Readonly<Record<string, string>> => ({
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-length': String(bytes),
  'upload-metadata': `filename ${base64(name)},filetype ${base64(type)}`,
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
