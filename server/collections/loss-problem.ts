import type { Actor } from '#domain/access/actor.ts'
import { readsWhole } from '#domain/access/unread-fields.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Loss } from './convert-values.ts'

/** A field as it was, and who changes it: values are told to whoever reads all of them. */
export type Losing = { readonly actor: Actor; readonly collection: Collection; readonly old: Field }

/** Whether somebody may be told what stands in a field. */
export const isTold = ({ actor, collection, old }: Losing): boolean => readsWhole(actor, collection, old.id)

/** Tells what a change would lose; saying `acceptLoss` goes ahead. */
export function lossProblem(losing: Losing, { label }: Field, { count, examples }: Loss): Problem {
  const errors = [{ path: 'acceptLoss', code: 'values-lost', message: 'Say acceptLoss to go ahead.' }]
  if (!isTold(losing)) {
    const detail = `Values of ${label} would be lost that you may not all read. Nothing was changed yet.`
    return new Problem('definition-invalid', detail, { errors })
  }
  const some = examples.slice(0, 5).map((example) => `“${example}”`)
  return new Problem(
    'definition-invalid',
    `${count === 1 ? 'One value' : `${count} values`} of ${label} would be lost (${some.join(', ')}). Nothing was changed yet.`,
    { errors, extra: { lost: { count, examples } } },
  )
}
