import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { cancelJob, type JobBody, listJobs, readJob } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import '../schema.css'

const POLL_INTERVAL_MS = 1000

/** Progress and cancel of a type change, also after a reload. */
export function KindChangeProgress({ collection }: { readonly collection: TypedCollection }) {
  const job = useFieldChange(collection)
  const label = collection.fields.find(({ id }) => id === job?.field)?.label
  const isShown = job !== undefined && label !== undefined
  return (
    <>
      <div role="status">
        {isShown && (
          <p className="dialog-hint">
            {t(
              'Changing the type of {label}. Until this is done, the old type stays in use and fields can’t be edited.',
              { label },
            )}
          </p>
        )}
      </div>
      {isShown && <Progress job={job} label={label} />}
    </>
  )
}

function Progress({ job, label }: { readonly job: JobBody; readonly label: string }) {
  const total = job.total ?? job.done
  const done = Math.min(job.done, total)
  return (
    <div className="field-change-progress">
      <ProgressLine
        label={plural(total, '{done} of {n} record', '{done} of {n} records', { done })}
        done={total === 0 ? 0 : done / total}
        afterMs={0}
      />
      <Button size="xs" onClick={() => cancel(job, label)}>
        {t('Cancel changing {label}', { label })}
      </Button>
    </div>
  )
}

/** The end of the job is announced when it is polled. */
function cancel({ id }: JobBody, label: string): void {
  void call(cancelJob, { params: { job: id } }).then(undefined, (error: unknown) =>
    notify.error(t('Couldn’t cancel changing {label}', { label }), { detail: describeError(error).detail }),
  )
}

/** Polls the running type change and announces its end. */
function useFieldChange({ id: collection, fields }: TypedCollection): JobBody | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: [...queryKeys.jobs, collection],
    queryFn: ({ signal }) => call(listJobs, { query: { collection }, signal }),
    refetchInterval: ({ state }) => (fieldChangeIn(state.data?.items) ? POLL_INTERVAL_MS : false),
  })
  const job = fieldChangeIn(data?.items)
  const followed = useRef<JobBody>(undefined)
  useEffect(() => {
    const before = followed.current
    followed.current = job
    if (!before || before.id === job?.id) return
    const label = fields.find((field) => field.id === before.field)?.label ?? t('Field')
    void call(readJob, { params: { job: before.id } }).then(
      (end) => showEnd(label, end),
      () => undefined,
    )
    void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
    void queryClient.invalidateQueries({ queryKey: ['records'] })
  }, [job, fields, queryClient])
  return job
}

const fieldChangeIn = (jobs: readonly JobBody[] | undefined): JobBody | undefined =>
  jobs?.find(({ does }) => does === 'change-field')

function showEnd(label: string, { state, lost, failure }: JobBody): void {
  if (state === 'cancelled') notify.info(t('Canceled. {label} was not changed', { label }))
  else if (state === 'failed') notify.error(t('Couldn’t change {label}', { label }), { detail: failure ?? '' })
  else if (lost)
    notify.success(
      plural(
        lost,
        '{label} updated. {n} value couldn’t be converted',
        '{label} updated. {n} values couldn’t be converted',
        {
          label,
        },
      ),
    )
  else notify.success(t('{label} updated', { label }))
}
