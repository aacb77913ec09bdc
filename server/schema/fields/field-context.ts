import type { OptionsDraft, ReverseDraft } from '#domain/fields/field-options.ts'
import { type FieldDraft, type FieldCheckContext, checkField } from '#domain/collections/check-field.ts'
import type { Collection } from '#domain/collections/collection.ts'
import {
  type Field,
  type FormulaOptions,
  hasSelectOptions,
  isRollup,
  type ReverseOptions,
  type RollupKind,
  type RollupOptions,
  type SelectOption,
} from '#domain/fields/field.ts'
import { checkDefaultFormula } from '#domain/formulas/default-formulas.ts'
import { allInputs, checkFormulaField, formulaById, linkedBehind } from '#domain/formulas/formula-fields.ts'
import { isFormula } from '#domain/formulas/value-field.ts'
import { formulaContext } from '#domain/rollups/linked-values.ts'
import { checkRollupField, isReadBy, type RollupAuthor } from '#domain/rollups/rollup-fields.ts'
import type { RollupContext } from '#domain/rollups/rollup-plan.ts'
import { withPosition } from '#domain/query/check/check-filter.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide, readsAllRecords, readsFieldEverywhere, unreadableFields } from '#domain/access/decide.ts'
import { type PartProblem, partProblem, Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { hiddenDefinitionFields, maySee } from '#server/query/definitions/find-collection.ts'

export type FieldContext = {
  readonly definitions: Definitions
  readonly actor: Actor
  readonly newId: () => string
  readonly siblings: readonly Field[]
  readonly existing?: Field
  /** Former options, whose IDs a draft can contain. */
  readonly formerOptions?: readonly SelectOption[] | undefined
  /** A new collection, which its own fields can refer to by this name. */
  readonly self?: Pick<Collection, 'id' | 'name'>
  /** Whether the actor is shown values of the formula, so that they must be able to read the inputs of a kept one. */
  readonly isPreview?: boolean
}

export function fieldFromDraft(draft: FieldDraft, place: FieldContext, path = ''): Field {
  const checked = checkField(draft, checkFieldContext(place))
  if (checked.ok) return checked.value
  const [first] = checked.fault
  throw new Problem('definition-invalid', `${draft.label}: ${first?.message ?? 'Invalid field definition.'}`, {
    errors: checked.fault.map((fault) => ({ ...fault, path: `${path}${fault.path}` })),
  })
}

/** The relation that a new reverse side of this collection shows. */
function findRelation(
  context: FieldContext,
  { collection: nameOrId = '', relation: relationNameOrId = '', fields }: ReverseDraft,
): Result<ReverseOptions, readonly PartProblem[]> {
  const { siblings, existing, self } = context
  const reject = (code: string, message: string) => fail([partProblem('options.relation', code, message)])
  const source = readableCollection(context, nameOrId)
  const relation = source?.fields.find(({ id, name }) => name === relationNameOrId || id === relationNameOrId)
  if (!source || relation?.kind !== 'relation' || relation.options.collection !== self?.id)
    return reject('unknown-relation', 'Choose a linked record field that links to this collection.')
  const isShown = siblings.some((field) => field.kind === 'reverse' && field.options.relation === relation.id)
  if (isShown && existing === undefined)
    return reject('relation-shown', 'Another field already shows the records linked by this one.')
  return withListedFields({ collection: source.id, relation: relation.id }, fields, { shown: source.shown, existing })
}

/** Former fields that aren't shown to the actor are kept. */
function withListedFields(
  options: ReverseOptions,
  given: readonly string[] | undefined,
  { shown, existing }: { readonly shown: readonly Field[]; readonly existing: Field | undefined },
): Result<ReverseOptions, readonly PartProblem[]> {
  if (given === undefined) return ok(options)
  const found = given.map((each) => shown.find(({ id, name }) => id === each || name === each)?.id)
  if (found.includes(undefined))
    return fail([partProblem('options.fields', 'unknown-field', 'Choose fields of the linked records.')])
  const former = existing?.kind === 'reverse' ? (existing.options.fields ?? []) : []
  const unseen = former.filter((id) => shown.every((field) => field.id !== id))
  return ok({ ...options, fields: [...new Set([...found.filter((id) => id !== undefined), ...unseen])] })
}

/** A collection with the fields that the actor can read, and those in its definition as they see it. */
function readableCollection(
  { definitions, actor, self, siblings }: FieldContext,
  nameOrId: string,
): (Pick<Collection, 'id' | 'fields'> & { readonly shown: readonly Field[] }) | undefined {
  const isOwn = self && (nameOrId === self.id || nameOrId === self.name)
  const found = definitions.byId.get(isOwn ? self.id : nameOrId) ?? definitions.byName.get(nameOrId)
  const decision = decide(actor, 'records:read', found)
  if (!found || !decision.allowed) return undefined
  const fields = isOwn ? siblings : found.fields
  const hidden = hiddenDefinitionFields(actor, found)
  return {
    id: found.id,
    fields: fields.filter(({ id }) => !decision.hiddenFields.has(id)),
    shown: fields.filter(({ id }) => !hidden.has(id)),
  }
}

/** Checks a formula; its author must be able to read the inputs in all records, because the formula discloses them. */
function checkNewFormula(
  place: FieldContext,
  formula: string,
  field: Pick<Field, 'id' | 'name' | 'label'>,
): Result<FormulaOptions, readonly PartProblem[]> {
  const { actor, self, existing, siblings, newId, isPreview = false } = place
  const unread = self ? unreadableFields(actor, { id: self.id, fields: siblings }) : new Set<string>()
  const context = rollupContext(place, field)
  const isRead = (each: Field): boolean =>
    [each.id, ...inputsOfField(each, siblings)].every((id) => !unread.has(id)) &&
    (!isFormula(each) || linkedBehind(each, siblings).every((value) => isReadableBy(context, value)))
  const all = formulaContext({ ...context, existing, newId }, { siblings, isVisible: isRead })
  // Managers who can't see the formula send it empty when they change something else.
  const isKept = ({ options, ...known }: Field<'formula'>): boolean =>
    options.formula === formulaById(formula, { fields: siblings }, all.collectionOf) ||
    (formula === '' && !isRead({ ...known, options }))
  if (!isPreview && existing?.kind === 'formula' && isKept(existing)) return ok(existing.options)
  const checked = checkFormulaField(formula, field, all)
  if (checked.ok) return checked
  const { message, position } = checked.fault
  return fail([partProblem('options.formula', 'invalid-formula', withPosition(message, position))])
}

function checkNewDefault(
  { actor, self, existing, siblings }: FieldContext,
  formula: string,
  field: Field,
): Result<string, readonly PartProblem[]> {
  // Managers who can't read its inputs send the formula back when they change something else.
  if (existing?.defaultFormula !== undefined && existing.kind === field.kind)
    if (existing.defaultFormula === formulaById(formula, { fields: siblings })) return ok(existing.defaultFormula)
  const unread = self ? unreadableFields(actor, { id: self.id, fields: siblings }) : new Set<string>()
  const isRead = (each: Field): boolean => [each.id, ...inputsOfField(each, siblings)].every((id) => !unread.has(id))
  const checked = checkDefaultFormula(formula, field, siblings, isRead)
  if (checked.ok) return checked
  const { message, position } = checked.fault
  return fail([partProblem('defaultFormula', 'invalid-formula', withPosition(message, position))])
}

const inputsOfField = (field: Field, siblings: readonly Field[]) => (isFormula(field) ? allInputs(field, siblings) : [])

/** Checks a lookup, count or rollup; its author must be able to read everything that it discloses. */
function checkNewRollup(
  place: FieldContext,
  kind: RollupKind,
  options: OptionsDraft,
  field: Pick<Field, 'id' | 'name' | 'label'>,
): Result<RollupOptions, readonly PartProblem[]> {
  const { existing } = place
  const context = rollupContext(place, field)
  // Managers who can't see the definition send it empty when they change something else.
  if (existing && isRollup(existing) && (options.path ?? []).length === 0 && !isReadableBy(context, existing))
    return ok(existing.options)
  return checkRollupField(kind, options, field, context)
}

/** The collection of a field, as it is changed, and what the actor can read. */
function rollupContext(place: FieldContext, { label }: Pick<Field, 'label'>): RollupContext & RollupAuthor {
  const { definitions, siblings, existing, self } = place
  const known = self && definitions.byId.get(self.id)
  const collection: Collection = {
    ...(known ?? { ...EMPTY_COLLECTION, ...self, label }),
    fields: [...siblings, ...(existing ? [existing] : [])],
  }
  return {
    ...authorOf(place, collection),
    collection,
    collectionOf: (id) => definitions.byId.get(id),
    timeZone: definitions.timeZone,
  }
}

const EMPTY_COLLECTION: Collection = { id: '', name: '', label: '', fields: [], titleField: null, version: 0 }

const isReadableBy = (author: RollupAuthor, { options }: Field<RollupKind>): boolean =>
  options.inputs?.every((each) => isReadBy(author, each)) ?? true

const authorOf = ({ actor, definitions }: FieldContext, home: Collection): RollupAuthor => ({
  reads: (id, field) => {
    const collection = id === home.id ? home : definitions.byId.get(id)
    if (!collection) return false
    return field === undefined ? readsAllRecords(actor, collection) : readsFieldEverywhere(actor, collection, field)
  },
})

function checkFieldContext(place: FieldContext): FieldCheckContext {
  const { definitions, existing, self, formerOptions = [] } = place
  const own = existing && hasSelectOptions(existing) ? existing.options.choices : []
  return {
    id: existing?.id ?? place.newId(),
    newId: place.newId,
    takenNames: new Set(place.siblings.map((field) => field.name)),
    hasStatusField: place.siblings.some((field) => field.kind === 'state'),
    knownOptions: [...own, ...formerOptions],
    checkDefaultFormula: (formula, field) => checkNewDefault(place, formula, field),
    findRelation: (draft) => findRelation(place, draft),
    checkFormula: (formula, field) => checkNewFormula(place, formula, field),
    checkRollup: (kind, options, field) => checkNewRollup(place, kind, options, field),
    findCollection: (nameOrId) => {
      if (self && (nameOrId === self.id || nameOrId === self.name)) return self.id
      const found = definitions.byId.get(nameOrId) ?? definitions.byName.get(nameOrId)
      return found && maySee(place.actor, found) ? found.id : undefined
    },
  }
}
