import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconArrowDown, IconArrowUp, IconTrash } from '#web/ui/icons/general.ts'
import { IconPencil } from '#web/ui/icons/later.ts'
import { IconDots, IconGripVertical, IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { useChangeField } from '#web/features/schema/collection/collection-queries.ts'
import { FieldDialog } from './field-dialog.tsx'
import { RecalculationProgress } from './recalculation-progress.tsx'
import { RemoveField } from './remove-field.tsx'
import '#web/features/schema/schema.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type JobBody, cancelJob, listJobs, readJob } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'

export function FieldList({ collection }: { readonly collection: TypedCollection }) {
  const [opened, setOpened] = useState<Field | 'new' | null>(null)
  const [removed, setRemoved] = useState<Field | null>(null)
  const { fields, reorder } = useFieldOrder(collection)

  return (
    <section className="settings-section" data-tour="fields" aria-labelledby="fields-title">
      <div className="settings-head">
        <h2 id="fields-title">{t('Fields')}</h2>
        <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setOpened('new')}>
          {t('Add a field')}
        </Button>
      </div>
      <RecalculationProgress collection={collection} />
      <KindChangeProgress collection={collection} />
      <ul className="field-list" ref={reorder.listRef}>
        {fields.map((field, at) => (
          <FieldRow
            key={field.id}
            field={field}
            isTitle={field.name === collection.titleField}
            reorder={reorder}
            place={{ isFirst: at === 0, isLast: at === fields.length - 1 }}
            onEdit={() => setOpened(field)}
            onRemove={() => setRemoved(field)}
          />
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
      <FieldDialog collection={collection} field={opened} onClose={() => setOpened(null)} />
      <RemoveField collection={collection} field={removed} onClose={() => setRemoved(null)} />
    </section>
  )
}

/** Reorders optimistically and reverts on failure. */
function useFieldOrder(collection: TypedCollection) {
  const { mutate } = useChangeField(collection.name)
  const [wanted, setWanted] = useState<{ readonly version: number; readonly fields: readonly Field[] }>()
  const items = wanted?.version === collection.version ? wanted.fields : collection.fields
  const reorder = useReorder({
    items,
    keyOf: ({ id }) => id,
    nameOf: ({ label }) => label,
    onReorder: (fields, { item, to }) => {
      setWanted({ version: collection.version, fields })
      mutate(
        { field: item.id, body: { position: to } },
        {
          onError: (error) => {
            setWanted(undefined)
            notifyFailure(t('Couldn’t move {label}', { label: item.label }))(error)
          },
        },
      )
    },
  })
  return { fields: reorder.order, reorder }
}

type FieldRowProps = {
  readonly field: Field
  readonly isTitle: boolean
  readonly reorder: Reorder<Field>
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean }
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function FieldRow({ field, isTitle, reorder, place, onEdit, onRemove }: FieldRowProps) {
  const { label, name, kind, description, required, unique } = field
  const { Icon, label: kindLabel } = KIND_TRAITS[kind]
  const descriptionId = useId()
  return (
    <li className="field-line" {...reorder.itemProps(field)}>
      <button {...reorder.handleProps(field)}>
        <IconGripVertical size={16} stroke={1.5} aria-hidden />
      </button>
      <button type="button" className="field-open" aria-describedby={descriptionId} onClick={onEdit}>
        <Icon size={18} stroke={1.5} aria-hidden />
        <span className="visually-hidden">{t('Edit')} </span>
        <span className="field-label">{label}</span>
        <span className="field-kind">{kindLabel}</span>
        <span id={descriptionId} className="field-description" aria-hidden>
          {description}
        </span>
      </button>
      <span className="field-marks">
        {isTitle && <Badge color="primary">{t('Primary field')}</Badge>}
        {required && <Badge color="gray">{t('Required')}</Badge>}
        {unique && <Badge color="gray">{kind === 'relation' ? t('One-to-one') : t('Unique')}</Badge>}
      </span>
      <code className="field-name">{name}</code>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon aria-label={t('More actions for {label}', { label })}>
            <IconDots size={16} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem icon={IconPencil} label={t('Edit')} onClick={onEdit} />
          <MenuItem
            icon={IconArrowUp}
            label={t('Move up')}
            disabled={place.isFirst}
            onClick={() => reorder.move(field, -1)}
          />
          <MenuItem
            icon={IconArrowDown}
            label={t('Move down')}
            disabled={place.isLast}
            onClick={() => reorder.move(field, 1)}
          />
          <Menu.Divider />
          <MenuItem icon={IconTrash} label={t('Remove')} color="danger" onClick={onRemove} />
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

const POLL_INTERVAL_MS = 1000

/** Progress of a type change and a cancel button, also shown after a reload. */
function KindChangeProgress({ collection }: { readonly collection: TypedCollection }) {
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
        {t('Cancel change to {label}', { label })}
      </Button>
    </div>
  )
}

/** Cancels a job; polling announces when it has ended. */
function cancel({ id }: JobBody, label: string): void {
  const failed = notifyFailure(t('Couldn’t cancel the change to {label}', { label }))
  void call(cancelJob, { params: { job: id } }).then(undefined, failed)
}

/** Polls the running type change and announces when it finishes. */
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

function showEnd(label: string, { id: job, state, lost, failure }: JobBody): void {
  // The header announces the end of every job, in the same notification.
  const id = `job-${job}`
  if (state === 'cancelled') notify.info(t('Canceled. {label} was not changed', { label }), { id })
  else if (state === 'failed') notify.error(t('Couldn’t change {label}', { label }), { id, detail: failure ?? '' })
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
      { id },
    )
  else notify.success(t('{label} updated', { label }), { id })
}
