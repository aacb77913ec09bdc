import type { BeforeBody } from '#api/bulk.ts'
import type { Actor } from '#domain/access/actor.ts'
import { PLAIN_FORM } from '#domain/records/named-values.ts'
import { showRecords } from '#server/records/show/show-records.ts'
import type { BulkDeps } from './bulk-deps.ts'
import type { AppliedTask } from './apply-task.ts'
import type { TaskScope } from './find-records.ts'

/** Changed records as their changer saw them before; a list of which they see a part only is left out. */
export async function showPreviousValues(
  needs: BulkDeps,
  actor: Actor,
  { collection, read }: TaskScope,
  before: AppliedTask['before'],
): Promise<BeforeBody[]> {
  const ids = new Set(before.flatMap(({ values }) => Object.keys(values)))
  const fields = collection.fields.filter(({ id }) => ids.has(id))
  const viewer = { actor, collection, decision: read, areWhole: true }
  const showing = { form: PLAIN_FORM, expand: 'all', fields: new Set(fields.map(({ name }) => name)) } as const
  const records = before.map(({ record }) => record)
  const shown = await showRecords(needs, viewer, records, showing)
  return shown.map(({ id, version, values }, at) => {
    const own = fields.filter((field) => {
      const stored = records[at]?.values[field.id]
      const seen = values[field.name]
      return Object.hasOwn(values, field.name) && (!Array.isArray(stored) || lengthOf(seen) === stored.length)
    })
    // What has been written since stands one version higher.
    return { id, version: version + 1, values: Object.fromEntries(own.map(({ name }) => [name, values[name]])) }
  })
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
