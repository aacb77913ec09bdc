import { type AuditChange, collectionChanges } from '../audit/audit-changes.ts'
import { hasSelectOptions } from '../fields/field.ts'
import { sameJson } from '../shared/json.ts'
import { type Collection, fieldById } from './collection.ts'

export const DEFINITION_CHANGES = [
  'collection-renamed',
  'field-added',
  'field-deleted',
  'field-renamed',
  'field-type',
  'field-options',
  'field-settings',
  'field-order',
  'rules',
  'workflow',
  'record-layout',
  'settings',
] as const

/** One thing that was changed in the definition of a collection. */
export type DefinitionChange = {
  readonly what: (typeof DEFINITION_CHANGES)[number]
  /** Label of the field; null if it isn't about a single field. */
  readonly field: string | null
  /** Former and new label or field type; null for other changes. */
  readonly before: string | null
  readonly after: string | null
}

const WHAT: { readonly [property: string]: DefinitionChange['what'] } = {
  label: 'collection-renamed',
  fieldLabel: 'field-renamed',
  fieldKind: 'field-type',
  fieldChoices: 'field-options',
  fieldOrder: 'field-order',
  fieldDescription: 'field-settings',
  fieldName: 'field-settings',
  fieldRequired: 'field-settings',
  fieldUnique: 'field-settings',
  fieldDefault: 'field-settings',
  fieldOptions: 'field-settings',
  rule: 'rules',
  transition: 'workflow',
  statuses: 'workflow',
  recordLayout: 'record-layout',
}

const NAMES_VALUES: ReadonlySet<DefinitionChange['what']> = new Set([
  'collection-renamed',
  'field-renamed',
  'field-type',
])

/** What was changed in a definition, each once. Rules and transitions aren't named, because they can be hidden. */
export function definitionChanges(before: Collection, after: Collection): readonly DefinitionChange[] {
  const all = [...collectionChanges(before, after).map(changeOf), ...optionChanges(before, after)]
  // Another type has other options.
  const converted = new Set(all.flatMap(({ what, field }) => (what === 'field-type' ? field : [])))
  const shown = all.filter(({ what, field }) => !(converted.has(field) && FOLLOWS_TYPE.has(what)))
  const byText = new Map(shown.map((change) => [JSON.stringify(change), change]))
  return [...byText.values()]
}

/** The audit log names options; here, other colors and options of the same name count as well. */
function optionChanges(before: Collection, after: Collection): DefinitionChange[] {
  return after.fields.flatMap((field) => {
    const was = fieldById(before, field.id)
    if (!was || !hasSelectOptions(was) || !hasSelectOptions(field)) return []
    const isSame = sameJson(was.options, field.options)
    return isSame ? [] : [{ what: 'field-options', field: field.label, ...NO_VALUES }]
  })
}

const FOLLOWS_TYPE: ReadonlySet<DefinitionChange['what']> = new Set(['field-options', 'field-settings'])

function changeOf({ property, of, before, after }: AuditChange): DefinitionChange {
  const isAdded = before === null
  const what = property === 'field' ? (isAdded ? 'field-added' : 'field-deleted') : (WHAT[property] ?? 'settings')
  const values = NAMES_VALUES.has(what) ? { before: textOf(before), after: textOf(after) } : NO_VALUES
  return { what, field: what.startsWith('field-') && of !== '' ? of : null, ...values }
}

const NO_VALUES = { before: null, after: null } as const

const textOf = (value: AuditChange['before']): string | null => (typeof value === 'string' ? value : null)
