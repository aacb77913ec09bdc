import { useQuery } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { type ImportBody, type ImportPreview, lookAgain } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { type ImportPlan, keyOptions, keyColumnOf } from './import-plan.ts'

type KeyFieldProps = {
  readonly looked: ImportBody
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  readonly into: CollectionBody
  readonly onPlan: (plan: ImportPlan) => void
}

const ADD = '-add'

/** Whether rows change records that are there, by which field these are found, and how many that would be. */
export function KeyField({ looked, preview, plan, into, onPlan }: KeyFieldProps) {
  const choices = keyOptions(plan, preview, into)
  const column = keyColumnOf(plan, preview)
  const { data: matches, isFetching } = useQuery({
    queryKey: [...queryKeys.import(looked.id), 'matches', into.name, plan.key, column, preview.encoding],
    queryFn: async ({ signal }) => {
      const key = { collection: into.name, field: plan.key ?? '', column: column ?? 0 }
      return (await call(lookAgain, { params: { import: looked.id }, body: { key }, signal })).matches ?? null
    },
    enabled: plan.key !== null && column !== null,
  })
  if (choices.length === 0 || !into.can.includes('records:update')) return null
  return (
    <div className="plan-target">
      <WithHelp setting="import-key">
        <Select
          label={t('Existing records')}
          description={describe(plan, matches ?? undefined, isFetching)}
          allowDeselect={false}
          data={[
            { value: ADD, label: t('Create a new record for every row') },
            ...choices.map(({ name, label }) => ({
              value: name,
              label: t('Update the record with the same {label}', { label }),
            })),
          ]}
          value={plan.key ?? ADD}
          onChange={(value) => onPlan({ ...plan, key: value === ADD ? null : value })}
        />
      </WithHelp>
    </div>
  )
}

function describe(plan: ImportPlan, matches: ImportBody['matches'], isFetching: boolean): string {
  if (plan.key === null) return t('Select a field to match existing records and update them.')
  if (!matches) return isFetching ? t('Counting…') : t('Only mapped columns are updated.')
  const { updates, creates, unclear, isWhole } = matches
  const parts = [t('{updates} updated', { updates }), t('{creates} new', { creates })]
  if (unclear > 0) parts.push(t('{unclear} ambiguous and rejected', { unclear }))
  const said = parts.join(', ')
  return isWhole ? `${said}.` : t('First {count} rows: {said}.', { count: 100_000, said })
}
