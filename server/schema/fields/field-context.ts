import { type FieldDraft, type FieldCheckContext, checkField } from '#domain/collections/check-field.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { maySee } from '#server/query/definitions/find-collection.ts'

/** Where a field is made: among these fields, in this workspace. */
export type FieldContext = {
  readonly definitions: Definitions
  readonly actor: Actor
  readonly newId: () => string
  /** The other fields of the collection. */
  readonly siblings: readonly Field[]
  /** The field as it was, when it is changed. */
  readonly existing?: Field
  /** A collection that is being made and may point at itself by this name. */
  readonly self?: Pick<Collection, 'id' | 'name'>
}

/** A field from a draft, or the problem that tells everything wrong with it. `path` leads to it in the body. */
export function fieldFromDraft(draft: FieldDraft, place: FieldContext, path = ''): Field {
  const checked = checkField(draft, checkFieldContext(place))
  if (checked.ok) return checked.value
  const [first] = checked.fault
  throw new Problem('definition-invalid', `${draft.label}: ${first?.message ?? 'Invalid field definition.'}`, {
    errors: checked.fault.map((fault) => ({ ...fault, path: `${path}${fault.path}` })),
  })
}

function checkFieldContext(place: FieldContext): FieldCheckContext {
  const { definitions, existing, self } = place
  return {
    id: existing?.id ?? place.newId(),
    newId: place.newId,
    takenNames: new Set(place.siblings.map((field) => field.name)),
    hasStatusField: place.siblings.some((field) => field.kind === 'state'),
    knownOptions: existing && hasSelectOptions(existing) ? existing.options.choices : [],
    findCollection: (nameOrId) => {
      if (self && (nameOrId === self.id || nameOrId === self.name)) return self.id
      const found = definitions.byId.get(nameOrId) ?? definitions.byName.get(nameOrId)
      return found && maySee(place.actor, found) ? found.id : undefined
    },
  }
}
