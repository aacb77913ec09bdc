import type { z } from 'zod'
import type { previewFormula as endpoint } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { type Collection, findField } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { valuesWithFormulas } from '#domain/formulas/formula-values.ts'
import { isFormula, linkedValuesOf } from '#domain/formulas/value-field.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { type Definitions, withDefinition } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { calculateRollups } from '#server/records/rollups/calculate-rollups.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import { assertRollupsFit } from '#server/schema/collections/fitting-rollups.ts'
import { withField } from './change-field.ts'
import { fieldFromDraft } from './field-context.ts'

type Body = z.output<(typeof endpoint)['body']>
type Answer = z.input<(typeof endpoint)['response']>

/** The value that a formula would have in the first record. */
export async function previewFormula(
  deps: RecordDeps,
  actor: Actor,
  nameOrId: string,
  { formula, field: fieldNameOrId }: Body,
): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection } = getCollection(definitions, actor, 'collections:manage', nameOrId)
  const existing = fieldNameOrId === undefined ? undefined : findField(collection, fieldNameOrId)
  const draft = draftField({ actor, definitions, newId: deps.newId }, collection, existing, formula)
  const after = existing
    ? withField(collection, draft, undefined)
    : { ...collection, fields: [...collection.fields, draft] }
  assertRollupsFit({ actor, definitions }, withDefinition(definitions, after))
  const { result } = draft.options
  const record = await firstRecord(deps, actor, definitions, collection)
  if (!record) return { result, value: null, hasRecord: false }
  const linked = await calculateRollups(
    { database: deps.database, definitions },
    collection,
    linkedValuesOf(draft),
    record.id,
  )
  const values = { ...record.values, ...linked }
  const calendar = { now: deps.clock(), timeZone: definitions.timeZone }
  const value = valuesWithFormulas(after, [draft], { ...record, values }, calendar)[draft.id] ?? null
  return { result, value: typeof value === 'object' ? null : value, hasRecord: true }
}

type Author = { readonly actor: Actor; readonly definitions: Definitions; readonly newId: () => string }

function draftField(
  author: Author,
  collection: Collection,
  existing: Field | undefined,
  formula: string,
): Field<'formula'> {
  const siblings = collection.fields.filter((field) => field !== existing)
  const field = fieldFromDraft(
    {
      ...(existing && { name: existing.name }),
      label: existing?.label ?? 'Formula',
      kind: 'formula',
      required: false,
      unique: false,
      options: { formula },
    },
    { ...author, siblings, self: collection, isPreview: true, ...(existing && { existing }) },
  )
  if (!isFormula(field)) throw new Problem('definition-invalid', 'This isn’t a formula field.')
  return field
}

async function firstRecord(
  deps: RecordDeps,
  actor: Actor,
  definitions: Definitions,
  collection: Collection,
): Promise<CollectionRecord | undefined> {
  const decision = decide(actor, 'records:read', collection)
  if (!decision.allowed) return undefined
  const query = checkedQuery({ actor, definitions, now: deps.clock() }, collection, decision, { page: 1, perPage: 1 })
  const { rows } = await selectPage(scopeOf(deps, definitions), query)
  return recordsOfRows(collection, rows)[0]
}
