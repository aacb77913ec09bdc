import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { RecordBody } from '#api/records.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { formatInstant } from '#web/shared/formatting/format-value.ts'
import { useStore } from '#web/ui/store.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { addRecentRecord } from '#web/data/storage/browser-storage.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { unsentState } from '#web/data/unsent/unsent-state.ts'
import { type TypedCollection, describeLockedFields, lockedFieldNames } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconLock, IconMapQuestion } from '#web/ui/icons/start.ts'
import { IconArrowDown, IconArrowUp } from '#web/ui/icons/general.ts'
import { EmptyState, Notice } from '#web/ui/feedback/notice.tsx'
import { t } from '#web/i18n/t.ts'
import type { Neighbors, RecordPosition } from '#web/data/queries/record-list-queries.ts'
import { type ListEdits, NO_LIST_EDITS } from '#web/shared/cell-editing/list-cells.ts'
import { readOnlyFieldNames } from '#web/shared/fields/editable-cells.ts'
import { RecordDropTarget } from './record-drop-target.tsx'
import {
  fieldOfKeyboard,
  type HeaderSlots,
  keepKeyboard,
  type ListPosition,
  RecordHeader,
  SaveStatus,
  stepOfKey,
  useHeaderSlots,
  useNeighbors,
} from './record-header.tsx'
import { RecordMenu } from './record-menu.tsx'
import { RecordBodyFields, TitleInput } from './record-body.tsx'
import { RecordFooter } from './record-times.tsx'
import { lastStatusChangeQuery, requiresComment } from '#web/shared/workflow/transition-queries.ts'
import { useRecordDraft } from './use-record-draft.ts'
import { type RecordDraft, draftValue, errorAt, violationsOf } from '#web/shared/record-drafts/record-draft.ts'
import { recordQuery } from '#web/data/queries/record-queries.ts'
import { violationsOutsideForm } from '#web/shared/validation-rules/rule-violations.ts'
import './record-view.css'
import { explainRights } from '#api/roles.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

type RecordViewProps = {
  readonly collection: TypedCollection
  readonly recordId: string
  readonly position: ListPosition | undefined
  /** The time as of which the record is shown; undefined: now. */
  readonly at: string | undefined
  readonly onGo: (recordId: string, ordinal: number) => void
  readonly onLeave: () => void
  /** Opens a record that isn't part of the list; adds a history entry. */
  readonly onOpen: (recordId: string) => void
  /** Label of the link that is shown if the record doesn't exist. */
  readonly leaveLabel?: string
  readonly actions?: ReactNode
  readonly close?: ReactNode
  /** The list next to the record; edits appear immediately in both. */
  readonly list?: ListEdits
}

export function RecordView(props: RecordViewProps) {
  const { collection, recordId, position, onGo, actions, close } = props
  const beside = useNeighbors(collection, position, recordId)
  const { slots, onSlots } = useHeaderSlots()
  const place = useRef<HTMLDivElement>(null)
  const field = useRef<string | undefined>(undefined)
  const step = (to: RecordPosition) => {
    field.current = fieldOfKeyboard(place.current)
    onGo(to.id, to.ordinal)
  }
  const shown = useRef(recordId)
  const onShown = useCallback((id: string) => {
    if (shown.current !== id) keepKeyboard(place, field.current)
    shown.current = id
  }, [])
  useStepCommands(beside, step)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const way = stepOfKey(event)
    const to = way && beside[way]
    if (!to || event.defaultPrevented || !(event.target instanceof Node) || !place.current?.contains(event.target))
      return
    event.preventDefault()
    step(to)
  }
  return (
    <div ref={place} className="record-view" tabIndex={-1} data-focus-inside onKeyDown={onKeyDown}>
      <RecordHeader
        position={position}
        beside={beside}
        onStep={step}
        onSlots={onSlots}
        {...(actions !== undefined && { actions })}
        {...(close !== undefined && { close })}
      />
      <RecordContent {...props} slots={slots} onShown={onShown} placeRef={place} />
    </div>
  )
}

/** Adds palette commands for stepping through records; see `stepOfKey` for the shortcuts. */
function useStepCommands({ previous, next }: Neighbors, step: (to: RecordPosition) => void): void {
  useCommand(
    next && { id: 'next-record', label: t('Next record'), about: 'page', icon: IconArrowDown, run: () => step(next) },
  )
  useCommand(
    previous && {
      id: 'previous-record',
      label: t('Previous record'),
      about: 'page',
      icon: IconArrowUp,
      run: () => step(previous),
    },
  )
}

type ContentProps = RecordViewProps & {
  readonly slots: HeaderSlots
  readonly onShown: (recordId: string) => void
  readonly placeRef: RefObject<HTMLElement | null>
}

function RecordContent(props: ContentProps) {
  const {
    collection,
    recordId,
    onLeave,
    onShown,
    leaveLabel = t('Back to {label}', { label: collection.label }),
  } = props
  const { data, error, refetch } = useQuery(recordQuery(collection.name, recordId, props.at))
  // Loaded together with the record, which shows the required comment; loading it later would shift the content below.
  const { isLoading } = useQuery({
    ...lastStatusChangeQuery(collection, recordId),
    enabled: requiresComment(collection),
  })
  const record = isLoading ? undefined : data
  useFollowSentRecord(recordId)
  const isThere = record !== undefined || error !== null
  useEffect(() => {
    if (isThere) onShown(recordId)
  }, [isThere, recordId, onShown])
  if (record) return <OpenRecord key={record.id} {...props} record={record} />
  if (!error) return <RecordSkeleton />
  return (
    <>
      {props.list === undefined && <PageWithoutRecord />}
      {toCallError(error)?.status === 404 ? (
        <EmptyState
          icon={IconMapQuestion}
          text={t('This record doesn’t exist, or you don’t have access to it.')}
          action={{ label: leaveLabel, onClick: onLeave }}
        />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

/** Replaces the URL of a record created offline when it is synced and receives its permanent ID. */
function useFollowSentRecord(recordId: string): void {
  const { history } = useRouter()
  const sentAs = useStore(unsentState).sentAs.get(recordId)
  useEffect(() => {
    if (sentAs !== undefined) history.replace(history.location.href.replace(recordId, sentAs))
  }, [history, recordId, sentAs])
}

function PageWithoutRecord() {
  usePageTitle(t('Record'))
  return <h1 className="visually-hidden">{t('Record')}</h1>
}

function OpenRecord(props: ContentProps & { readonly record: RecordBody }) {
  const { collection, record, slots, list, at } = props
  const { draft: own, saver } = useRecordDraft(collection, record, list)
  const draft = useListEdits(own, list)
  const isUnsent = useStore(unsentState).records.some(({ body }) => body.id === record.id)
  const title = recordTitle(collection, { values: { ...draft.base.values, ...draft.edits } })
  const titleField = collection.fields.find(({ name }) => name === collection.titleField)
  const mayNot = useIsReadOnly(collection, record.id)
  const canWrite = collection.can.includes('records:update') && !mayNot
  const frozen = lockedFieldNames(collection, draft.base.values)
  const readOnly = new Set([...frozen, ...readOnlyFieldNames(collection, draft.base.values)])
  useRememberRecent(collection.id, record.id)

  return (
    <article className="record-whole" aria-labelledby="record-title">
      {list === undefined && <PageTitle title={title} />}
      {slots.state &&
        at === undefined &&
        createPortal(
          <SaveStatus
            draft={draft}
            isUnsent={isUnsent}
            isMarked={isMarked(collection, draft)}
            onRetry={() => void saver.flush()}
          />,
          slots.state,
        )}
      {slots.menu && createPortal(<RecordMenu {...props} title={title} saver={saver} />, slots.menu)}
      <div data-tour="record-title">
        {titleField?.kind === 'text' ? (
          <TitleInput
            field={titleField}
            title={title}
            value={draftValue(draft, titleField.name)}
            onChange={(value) => saver.edit(titleField.name, value)}
            onDone={() => void saver.flush()}
            error={errorAt(draft, titleField.name)}
            conflict={Object.hasOwn(draft.conflicts, titleField.name) ? draft.conflicts[titleField.name] : undefined}
            onSettle={(whose) => saver.settle(titleField.name, whose)}
            readOnly={!canWrite || readOnly.has(titleField.name)}
          />
        ) : (
          <h1 id="record-title" className="record-title">
            {title}
          </h1>
        )}
      </div>
      <ReadOnlyNotice at={at} mayNot={mayNot} />
      <LockedFieldsNotice collection={collection} record={draft.base} frozen={frozen} />
      <RuleNotices draft={draft} collection={collection} />
      <RecordBodyFields collection={collection} draft={draft} saver={saver} canWrite={canWrite} readOnly={readOnly} />
      {!isUnsent && (
        <RecordFooter
          collection={collection}
          record={draft.base}
          saver={saver}
          canWrite={canWrite}
          readOnly={readOnly}
        />
      )}
      <RecordDropTarget collection={collection} record={draft.base} placeRef={props.placeRef} canWrite={canWrite} />
    </article>
  )
}

/** Not used in the side panel, where the page title is that of the list. */
function PageTitle({ title }: { readonly title: string }) {
  usePageTitle(title)
  return null
}

/** Whether the error is shown next to a field. */
const isMarked = ({ fields }: TypedCollection, draft: RecordDraft): boolean =>
  Object.keys(draft.errors).length > 0 ||
  violationsOf(draft).some(({ path }) => fields.some((field) => field.name === path))

function ReadOnlyNotice({ at, mayNot }: Pick<RecordViewProps, 'at'> & { readonly mayNot: boolean }) {
  if (at !== undefined) {
    const time = formatInstant(at)
    return (
      <LockedRecordNotice>{t('This is the record as of {time}. It can’t be changed.', { time })}</LockedRecordNotice>
    )
  }
  if (!mayNot) return null
  return (
    <LockedRecordNotice>{t('You can view this record, but you don’t have permission to edit it.')}</LockedRecordNotice>
  )
}

type LockedFieldsNoticeProps = {
  readonly collection: TypedCollection
  readonly record: RecordBody
  readonly frozen: ReadonlySet<string>
}

function LockedFieldsNotice({ collection, record, frozen }: LockedFieldsNoticeProps) {
  const state = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (frozen.size === 0 || !state) return null
  return (
    <LockedRecordNotice>
      {describeLockedFields(collection, frozen, String(record.values[state.name]))}
    </LockedRecordNotice>
  )
}

function LockedRecordNotice({ children }: { readonly children: ReactNode }) {
  return (
    <p className="record-frozen">
      <IconLock size={14} stroke={1.75} aria-hidden />
      {children}
    </p>
  )
}

/** Shows violated rules that don't belong to a visible field. */
function RuleNotices({ draft, collection }: { readonly draft: RecordDraft; readonly collection: TypedCollection }) {
  const shown = collection.fields.map(({ name }) => name)
  const [first, ...more] = violationsOutsideForm(violationsOf(draft), shown)
  if (first === undefined) return null
  return <Notice title={[first, ...more].join(' ')} detail={t('Your changes will be saved once this is fixed.')} />
}

function useRememberRecent(collection: string, record: string): void {
  const userId = useUser()?.id
  useEffect(() => {
    if (userId !== undefined) addRecentRecord(userId, { collection, record })
  }, [userId, collection, record])
}

function RecordSkeleton() {
  return (
    <div className="record-whole" role="status" aria-busy aria-label={t('Loading')}>
      <Skeleton height={28} width="30%" />
      <Skeleton height={40} width="70%" />
      <Skeleton height={180} />
      <Skeleton height={240} />
    </div>
  )
}

function useListEdits(draft: RecordDraft, list: ListEdits | undefined): RecordDraft {
  const shown = useStore(list?.shown ?? NO_LIST_EDITS)
  const { base } = draft
  return useMemo(() => {
    const given = shown.givenTo(base)
    return given ? { ...draft, base: { ...base, values: { ...base.values, ...given } } } : draft
  }, [shown, base, draft])
}

/** Whether the record is read-only although the collection is editable. Assumes that it is editable while unknown. */
function useIsReadOnly({ id, can }: TypedCollection, record: string): boolean {
  const user = useUser()
  const isOwner = user?.roles.some((role) => role.id === OWNER) ?? false
  const question = { permission: 'records:update', collection: id, record } as const
  const { data } = useQuery({
    queryKey: [...queryKeys.explanations, { ...question, user: user?.id }],
    queryFn: ({ signal }) => call(explainRights, { body: question, signal }),
    enabled: !isOwner && can.includes('records:update'),
    retry: false,
  })
  return data?.may === 'no'
}
