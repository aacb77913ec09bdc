import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { cancelRecalculation, readRecalculation, startRecalculation } from '#api/recalculations.ts'
import type { Field } from '#domain/fields/field.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { useRecalculating } from '#web/data/queries/recalculating-fields.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'

const POLL_INTERVAL_MS = 1000

/** The progress of fields that are being calculated, with a button to stop. */
export function RecalculationProgress({ collection }: { readonly collection: TypedCollection }) {
  const fields = useRecalculating(collection).filter((field) => rollupsIn([field]).length > 0)
  return fields.map((field) => <FieldProgress key={field.id} collection={collection} field={field} />)
}

type FieldProgressProps = { readonly collection: TypedCollection; readonly field: Field }

function FieldProgress({ collection, field: { name, label } }: FieldProgressProps) {
  const queryClient = useQueryClient()
  const params = { collection: collection.name, field: name }
  const { data, refetch } = useQuery({
    queryKey: queryKeys.recalculation(collection.name, name),
    queryFn: ({ signal }) => call(readRecalculation, { params, signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })
  if (!data || data.state === 'done') return null
  const { total, done, state } = data
  const isStopped = state === 'canceled'
  const send = (endpoint: typeof cancelRecalculation) => () =>
    void call(endpoint, { params }).then(() => {
      void refetch()
      void queryClient.invalidateQueries({ queryKey: queryKeys.records(collection.name) })
    }, notifyFailure())
  return (
    <div className="field-change-progress" role="group" aria-label={label}>
      <p className="dialog-hint" role="status">
        {isStopped
          ? t('The calculation of {label} was stopped. Some values aren’t current.', { label })
          : t('Calculating {label}. Some values aren’t current yet.', { label })}
      </p>
      {!isStopped && (
        <ProgressLine
          afterMs={0}
          {...(total !== null &&
            done !== null && {
              label: plural(total, '{done} of {n} record', '{done} of {n} records', { done }),
              done: total === 0 ? 1 : done / total,
            })}
        />
      )}
      <Button size="xs" onClick={send(isStopped ? startRecalculation : cancelRecalculation)}>
        {isStopped ? t('Calculate {label} again', { label }) : t('Stop calculating {label}', { label })}
      </Button>
    </div>
  )
}
