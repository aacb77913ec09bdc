import type { CollectionBody, FieldInput } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { hasPermissionEverywhere } from '#domain/access/decide.ts'
import { type Collection, canBeTitle } from '#domain/collections/collection.ts'
import { type CollectionAppearance, changedAppearance } from '#domain/collections/collection-appearance.ts'
import { isName, nameFromLabel } from '#domain/collections/names.ts'
import type { Field } from '#domain/fields/field.ts'
import type { RuleDraft } from '#domain/rules/check-rules.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type WriteDeps, type Writing, commitDefinition } from '#server/records/changes/commit-change.ts'
import { checkedRules } from './change-rules.ts'
import { fieldFromDraft } from '#server/schema/fields/field-context.ts'
import { definitionChange } from './log-definition.ts'
import { showCollection } from './show-collection.ts'
import { insertCollection, incrementDefinitionsVersion } from '#server/query/definitions/store.ts'
import { createTables } from './tables-store.ts'
import { syncFullTextIndexes } from '#server/query/search/index/sync-definition.ts'

export type CollectionDraft = CollectionAppearance & {
  readonly name?: string | undefined
  readonly label: string
  readonly fields?: readonly FieldInput[] | undefined
  readonly titleField?: string | null | undefined
  readonly rules?: readonly RuleDraft[] | undefined
}

/** Default content of a new collection: a name, a text and a files field. */
export const STARTING_FIELDS: readonly FieldInput[] = [
  { label: 'Title', kind: 'text', required: false, unique: false, options: {} },
  { label: 'Notes', kind: 'rich-text', required: false, unique: false, options: {} },
  { label: 'Files', kind: 'files', required: false, unique: false, options: {} },
]

export async function createCollection(deps: WriteDeps, actor: Actor, draft: CollectionDraft): Promise<CollectionBody> {
  if (!hasPermissionEverywhere(actor, 'collections:manage'))
    throw new Problem('forbidden', 'Only owners can create collections.')

  return commitDefinition(deps, actor, async (writing) => {
    const collection = await makeCollection(writing, draft)
    return { answer: showCollection(actor, collection, writing.definitions), ...definitionChange(null, collection) }
  })
}

export async function makeCollection(writing: Writing, draft: CollectionDraft): Promise<Collection> {
  const collection = collectionFromDraft(writing, draft)
  await insertCollection(writing.transaction, collection)
  await createTables(writing.transaction, collection)
  await syncFullTextIndexes({ ...writing, parts: [] }, null, collection)
  await incrementDefinitionsVersion(writing.transaction)
  return collection
}

function collectionFromDraft(writing: Writing, draft: CollectionDraft): Collection {
  const { definitions, actor, newId } = writing
  const id = newId()
  const name = freeName(draft, new Set(definitions.byName.keys()))
  const fields: Field[] = []
  for (const [at, input] of (draft.fields ?? STARTING_FIELDS).entries()) {
    const place = { definitions, actor, newId, siblings: fields, self: { id, name } }
    fields.push(fieldFromDraft(input, place, `fields.${at}.`))
  }
  const titleField = titleFieldOf(fields, draft.titleField)
  const collection = { id, name, label: draft.label, ...changedAppearance({}, draft), fields, titleField, version: 1 }
  return draft.rules ? { ...collection, rules: checkedRules(writing, collection, draft.rules) } : collection
}

function freeName(draft: CollectionDraft, taken: ReadonlySet<string>): string {
  const name = draft.name ?? nameFromLabel(draft.label, taken)
  if (!isName(name)) {
    throw new Problem(
      'definition-invalid',
      'Names start with a lowercase letter and use only letters, digits and underscores.',
      {
        errors: [
          {
            path: 'name',
            code: 'bad-name',
            message: 'Use only letters, digits and underscores, starting with a lowercase letter.',
          },
        ],
      },
    )
  }
  if (taken.has(name)) {
    throw new Problem('name-taken', `A collection named “${name}” already exists. Choose another name.`, {
      errors: [{ path: 'name', code: 'name-taken', message: 'This name is taken.' }],
    })
  }
  return name
}

/** The title field: the requested one, otherwise the first text field. */
export function titleFieldOf(fields: readonly Field[], wanted: string | null | undefined): string | null {
  if (wanted === null) return null
  if (wanted === undefined) return fields.find((field) => field.kind === 'text')?.id ?? null
  const field = fields.find((each) => each.name === wanted || each.id === wanted)
  if (field && canBeTitle(field.kind)) return field.id
  throw new Problem('definition-invalid', `“${wanted}” can’t be the primary field.`, {
    errors: [{ path: 'titleField', code: 'bad-title-field', message: 'Choose a text, number or date field.' }],
  })
}
