import type { CollectionBody } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide, restrictedFields, unreadableFields } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { changedAppearance } from '#domain/collections/collection-appearance.ts'
import { renamedRecordLayout } from '#domain/collections/record-layout.ts'
import { type Field, isRollup, type LinkedValue, type RollupInputs, type RollupKind } from '#domain/fields/field.ts'
import { allInputs, formulaByName, linkedBehind, namesInFormula } from '#domain/formulas/formula-fields.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import { DEFAULT_FORM, apiValue } from '#domain/records/named-values.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { rollupFilter } from '#domain/rollups/rollup-plan.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import { isConditionShown, showRules } from '#server/records/rules/evaluate-rules.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { rollupsOf } from '#server/records/rollups/rollup-plans.ts'
import { hiddenDefinitionFields, permissionsIn } from '#server/query/definitions/find-collection.ts'

export function showCollection(actor: Actor, collection: Collection, definitions: Definitions): CollectionBody {
  const hidden = hiddenDefinitionFields(actor, collection)
  const fields = collection.fields.filter((field) => !hidden.has(field.id))
  const rules = showRules({ actor, definitions }, collection)
  return {
    id: collection.id,
    name: collection.name,
    label: collection.label,
    ...changedAppearance(collection, {}),
    fields: fields.map((field) => ({
      ...showField(field, collection, hidden),
      options: showOptions({ actor, definitions }, field, collection),
    })),
    ...showWorkflow({ actor, definitions }, collection, hidden),
    titleField: fields.find((field) => field.id === collection.titleField)?.name ?? null,
    ...(rules.length > 0 && { rules }),
    timeZone: definitions.timeZone,
    ...showLayout(collection, fields),
    version: collection.version,
    can: permissionsIn(actor, collection),
    ...showClosed(actor, collection, fields),
  }
}

function showLayout({ layout }: Collection, shown: readonly Field[]): Pick<CollectionBody, 'layout'> {
  if (!layout) return {}
  const { sections, hiddenWhenEmpty } = renamedRecordLayout(
    layout,
    (id) => shown.find((field) => field.id === id)?.name,
  )
  return {
    layout: {
      sections: sections.map(({ fields, ...section }) => ({ ...section, fields: [...fields] })),
      hiddenWhenEmpty: [...hiddenWhenEmpty],
    },
  }
}

function showClosed(actor: Actor, collection: Collection, fields: readonly Field[]): Pick<CollectionBody, 'closed'> {
  const closed = restrictedFields(actor, collection)
  const shown = fields.filter(({ id }) => closed.has(id))
  if (shown.length === 0) return {}
  return { closed: Object.fromEntries(shown.map(({ id, name }) => [name, { ...closed.get(id) }])) }
}

/**
 * The workflow as shown to an actor: without hidden fields, and with the roles and conditions of transitions only for
 * managers.
 */
function showWorkflow(
  { actor, definitions }: { readonly actor: Actor; readonly definitions: Definitions },
  collection: Collection,
  hidden: HiddenFields,
): Pick<CollectionBody, 'workflow'> {
  if (!collection.workflow || hidden.has(collection.workflow.field)) return {}
  const { field, transitions, states } = collection.workflow
  const isManaged = decide(actor, 'collections:manage', collection).allowed
  const world = { collection, collectionOf: (id: string) => definitions.byId.get(id) }
  const isShown = (when: Filter | null): boolean =>
    when === null || isConditionShown({ actor, definitions }, collection, when)
  const seen = (ids: readonly string[]): string[] => ids.filter((id) => !hidden.has(id))
  const workflow = {
    field,
    transitions: transitions.map(({ id, name, from, to, note, roles, when }) => ({
      id,
      name,
      from,
      to,
      note,
      ...(isManaged && { roles: [...roles] }),
      ...(isManaged && isShown(when) && { when: when && filterByName(when, world) }),
    })),
    states: Object.fromEntries(
      Object.entries(states).map(([state, { requiredToLeave, frozen }]) => [
        state,
        { requiredToLeave: seen(requiredToLeave), frozen: frozen === 'all' ? frozen : seen(frozen) },
      ]),
    ),
  }
  return { workflow }
}

/** A formula for default values is shown only to users who can read all fields that it refers to. */
const showField = (
  field: Field,
  { fields }: Collection,
  hidden: HiddenFields,
): Omit<CollectionBody['fields'][number], 'options'> => ({
  ...(field.defaultFormula !== undefined && {
    defaultFormula: namesInFormula(field.defaultFormula).some((id) => hidden.has(id))
      ? ''
      : formulaByName(field.defaultFormula, { fields }),
  }),
  id: field.id,
  name: field.name,
  label: field.label,
  ...(field.description !== undefined && { description: field.description }),
  kind: field.kind,
  required: field.required,
  unique: field.unique,
  default: apiValue(field, field.default, DEFAULT_FORM),
})

type Viewer = { readonly actor: Actor; readonly definitions: Definitions }

function showOptions(viewer: Viewer, field: Field, collection: Collection): Field['options'] {
  if (field.kind === 'formula') return showFormula(viewer, field, collection)
  if (isRollup(field)) return showRollup(viewer, field, collection)
  return field.kind === 'reverse' ? showReverse(viewer, field) : { ...field.options }
}

/** Listed fields that the user can't see, or that were deleted, are omitted. */
function showReverse({ actor, definitions }: Viewer, { options }: Field<'reverse'>): Field<'reverse'>['options'] {
  const source = definitions.byId.get(options.collection)
  if (options.fields === undefined || !source) return options
  const hidden = hiddenDefinitionFields(actor, source)
  const shown = new Set(source.fields.filter(({ id }) => !hidden.has(id)).map(({ id }) => id))
  return { ...options, fields: options.fields.filter((id) => shown.has(id)) }
}

/** The definition isn't shown to users who can't read all fields that it refers to. */
function showRollup(
  { actor, definitions }: Viewer,
  rollup: Field<RollupKind>,
  collection: Collection,
): Field['options'] {
  const { inputs: _, path, field, filter: __, ...rest } = rollup.options
  const filter = rollupFilter(rollup.options)
  if (!isDefinitionRead({ actor, definitions }, rollup, collection)) return { ...rest, path: [] }
  const collectionOf = (id: string) => definitions.byId.get(id)
  const plan = rollupsOf(definitions).plans.find((each) => each.field.id === rollup.id)
  const target = plan && collectionOf(plan.target)
  const named = filter && target && filterByName(filter, { collection: target, collectionOf })
  return { path, ...(field !== undefined && { field }), ...(named && { filter: named }), ...rest }
}

/** Whether an actor can read all fields from which a value is calculated, in all or some records. */
function isDefinitionRead(
  { actor, definitions }: Viewer,
  { options: { inputs, path } }: Field<RollupKind>,
  collection: Collection,
): boolean {
  const hidden = hiddenDefinitionFields(actor, collection)
  const isRead = ({ collection: id, fields }: RollupInputs): boolean => {
    const there = definitions.byId.get(id)
    const unread = there ? unreadableFields(actor, there) : new Set(fields)
    return (
      there !== undefined && decide(actor, 'records:read', there).allowed && !fields.some((each) => unread.has(each))
    )
  }
  return inputs?.every(isRead) === true && !path.some((id) => hidden.has(id))
}

/** The formula isn't shown to users who can't read all fields that it refers to. */
function showFormula(viewer: Viewer, field: Field<'formula'>, collection: Collection): Field<'formula'>['options'] {
  const { actor, definitions } = viewer
  const { formula, result, linked } = field.options
  const hidden = hiddenDefinitionFields(actor, collection)
  const isShown =
    allInputs(field, collection.fields).every((input) => !hidden.has(input)) &&
    linkedBehind(field, collection.fields).every((each) => isDefinitionRead(viewer, each, collection))
  if (!isShown) return { formula: '', result }
  const named = formulaByName(formula, collection, (id) => definitions.byId.get(id))
  const values = linked?.map(withoutInputs)
  return { formula: named, result, ...(values && { linked: values }) }
}

function withoutInputs(value: LinkedValue): LinkedValue {
  const { inputs: _, ...options } = value.options
  return { ...value, options }
}
