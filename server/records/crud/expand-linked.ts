import type { RecordBody } from '#api/records.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import { linkedCollection } from '#domain/fields/field.ts'
import { type Expansion, parseExpansions } from '#domain/records/expansion.ts'
import type { ValueForm } from '#domain/records/named-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import { namesIn, showRecords } from '#server/records/show/show-records.ts'
import { findAllVisible } from './find-visible.ts'
import type { RecordDeps } from './record-deps.ts'

/** More linked records are read with a list of their own. */
const MAX_EXPANDED = 10_000

export function expansionsIn(text: string | undefined): readonly Expansion[] {
  const parsed = parseExpansions(text ?? '')
  if (parsed.ok) return parsed.value
  throw invalidExpansion(parsed.fault)
}

export const topLevelNames = (expansions: readonly Expansion[]): string => expansions.map(({ name }) => name).join(',')

const invalidExpansion = (message: string): Problem =>
  new Problem('invalid-request', `Invalid expand. ${message}`, {
    errors: [{ path: 'expand', code: 'bad-expand', message }],
  })

type Readable = { readonly collection: Collection; readonly decision: AllowedDecision }

type ToExpand = {
  readonly collection: Collection
  readonly expansions: readonly Expansion[]
  readonly form: ValueForm
}

/** Adds the requested fields to linked records that are already shown with their titles, one level after another. */
export async function expandLinked(
  deps: RecordDeps,
  queryActor: QueryActor,
  { collection, expansions, form }: ToExpand,
  bodies: readonly Pick<RecordBody, 'values'>[],
): Promise<void> {
  for (const { name, fields } of expansions) {
    if (fields === null) continue
    const linked = readableLinked(queryActor, collection, name, fields)
    const objects = bodies.flatMap(({ values }) => linkedObjects(values[name]))
    const ids = new Set(objects.map(({ id }) => id))
    if (ids.size > MAX_EXPANDED)
      throw invalidExpansion(
        `${name} has more than ${MAX_EXPANDED} linked records here. Request fewer records at once.`,
      )
    const records = await findAllVisible(deps, queryActor, linked, [...ids])
    const { actor } = queryActor
    const shown = await showRecords(deps, { actor, ...linked }, records, {
      form,
      expand: new Set(fields.flatMap((field) => (field.fields === null ? [] : field.name))),
      fields: new Set(fields.map((field) => field.name)),
      reverse: true,
    })
    await expandLinked(deps, queryActor, { collection: linked.collection, expansions: fields, form }, shown)
    const valuesOf = new Map(shown.map(({ id, values }) => [id, values]))
    for (const object of objects) object.values = valuesOf.get(object.id) ?? {}
  }
}

/** Fields of a collection that the actor can't read are unknown. */
function readableLinked(
  { actor, definitions }: QueryActor,
  collection: Collection,
  name: string,
  fields: readonly Expansion[],
): Readable {
  const field = fieldByName(collection, name)
  const id = field && linkedCollection(field)
  if (id === undefined) throw invalidExpansion(`“${name}” isn’t a linked record field, so it has no fields.`)
  const linked = definitions.byId.get(id)
  const decision = decide(actor, 'records:read', linked)
  if (!linked || !decision.allowed)
    throw invalidExpansion(`“${name}” isn’t a linked record field, so it has no fields.`)
  namesIn('expand', fields.map((one) => one.name).join(','), linked, decision.hiddenFields)
  return { collection: linked, decision }
}

type LinkedObject = { readonly id: string; values?: { readonly [name: string]: unknown } }

/** The linked records in a value: of a relation, or of a reverse side. */
function linkedObjects(value: unknown): readonly LinkedObject[] {
  if (Array.isArray(value)) return value.flatMap(linkedObjects)
  if (typeof value !== 'object' || value === null) return []
  if ('records' in value) return linkedObjects(value.records)
  return 'id' in value && typeof value.id === 'string' ? [value as LinkedObject] : []
}
