import { type FieldDraft, type FieldCheckContext, checkField } from '#domain/collections/check-field.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, hasSelectOptions, type SelectOption } from '#domain/fields/field.ts'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { maySee } from '#server/query/definitions/find-collection.ts'

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
}

export function fieldFromDraft(draft: FieldDraft, place: FieldContext, path = ''): Field {
  const checked = checkField(draft, checkFieldContext(place))
  if (checked.ok) return checked.value
  const [first] = checked.fault
  throw new Problem('definition-invalid', `${draft.label}: ${first?.message ?? 'Invalid field definition.'}`, {
    errors: checked.fault.map((fault) => ({ ...fault, path: `${path}${fault.path}` })),
  })
}

function checkFieldContext(place: FieldContext): FieldCheckContext {
  const { definitions, existing, self, formerOptions = [] } = place
  const own = existing && hasSelectOptions(existing) ? existing.options.choices : []
  return {
    id: existing?.id ?? place.newId(),
    newId: place.newId,
    takenNames: new Set(place.siblings.map((field) => field.name)),
    hasStatusField: place.siblings.some((field) => field.kind === 'state'),
    knownOptions: [...own, ...formerOptions],
    findCollection: (nameOrId) => {
      if (self && (nameOrId === self.id || nameOrId === self.name)) return self.id
      const found = definitions.byId.get(nameOrId) ?? definitions.byName.get(nameOrId)
      return found && maySee(place.actor, found) ? found.id : undefined
    },
  }
}
