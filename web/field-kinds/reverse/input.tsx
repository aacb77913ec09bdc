import { ActionIcon, Input } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { relationOf } from '#domain/collections/reverse-side.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FieldCell } from '#web/field-kinds/field-cell.tsx'
import { uiOf } from '#web/field-kinds/field-kinds.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { useCreateLinked } from '#web/field-kinds/relation/use-create-linked.tsx'
import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import { isEmptyClientValue, toClientValue } from '#web/shared/fields/client-value.ts'
import { isWritable } from '#web/shared/fields/editable-cells.ts'
import type { ClientValueOf } from '#web/shared/fields/kind-traits.ts'
import { recordTitle, UNTITLED } from '#web/shared/fields/record-title.ts'
import { titleFieldOf, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { IconX } from '#web/ui/icons/later.ts'
import { notify } from '#web/ui/toast/notify.ts'
import {
  changeLink,
  linkableSearch,
  linkedColumns,
  type Linking,
  linkedListPath,
  linkedRecordsQuery,
  restoreLink,
} from './links.ts'
import './linked-records.css'

/** The records that link to a record. Linking and unlinking changes the relation in those records. */
export function ReverseInput(props: InputProps<'reverse'>) {
  const linking = useLinking(props.field, props.place)
  return linking && <LinkedRecordsInput {...props} linking={linking} />
}

function LinkedRecordsInput({ linking, ...props }: InputProps<'reverse'> & { readonly linking: Linking }) {
  const { value, label, readOnly = false } = props
  const { data, error, refetch } = useQuery(linkedRecordsQuery(linking))
  const count = data?.total ?? value?.count ?? 0
  return (
    <Input.Wrapper
      {...inputFrameProps(props)}
      label={
        <>
          {label} {count > 0 && !linking.relation.unique && <span className="linked-count">{numberText(count)}</span>}
        </>
      }
      required={false}
      labelElement="div"
      className="linked-records"
    >
      {error && !data ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <LinkedRecords linking={linking} label={label} readOnly={readOnly} records={data?.items} known={value} />
      )}
      <LinkedFooter linking={linking} label={label} readOnly={readOnly} count={count} />
    </Input.Wrapper>
  )
}

type LinkedFooterProps = {
  readonly linking: Linking
  readonly label: string
  readonly readOnly: boolean
  readonly count: number
}

/** A record that can be linked only once has to be unlinked first. */
function LinkedFooter({ linking, label, readOnly, count }: LinkedFooterProps) {
  const isSingle = linking.relation.unique
  return (
    <div className="linked-footer">
      {!readOnly && (count === 0 || !isSingle) && <LinkPicker linking={linking} label={label} />}
      {count > 0 && !isSingle && (
        <AppLink href={linkedListPath(linking)} className="linked-all">
          {plural(count, 'Open {n} record as a list', 'Open all {n} records as a list')}
        </AppLink>
      )}
    </div>
  )
}

/** Undefined while the collections are loaded, and if the user can't see the relation. */
function useLinking(
  field: Field<'reverse'>,
  { collection: target, record }: InputProps<'reverse'>['place'],
): Linking | undefined {
  const { data } = useQuery(collectionsQuery)
  return useMemo(() => {
    const body = data?.find(({ id }) => id === field.options.collection)
    const source = body && typedCollection(body)
    const relation = source && relationOf(field, source)
    if (!relation || record === undefined) return undefined
    return { source, relation, record, target, columns: linkedColumns(source, field) }
  }, [data, field, record, target])
}

type LinkedRecordsProps = {
  readonly linking: Linking
  readonly label: string
  readonly readOnly: boolean
  /** Undefined while they are loaded. */
  readonly records: readonly RecordListItem[] | undefined
  /** The titles that the record contains, shown until the columns are loaded. */
  readonly known: ClientValueOf['reverse']
}

function LinkedRecords({ linking, label, readOnly, records, known }: LinkedRecordsProps) {
  const { source, relation, columns } = linking
  const { unlink } = useLinkChanges(linking)
  if (records?.length === 0 || (!records && !known)) return <p className="linked-none">{t('No linked records')}</p>
  const tracks = `minmax(0, 2fr) ${'minmax(0, 1fr) '.repeat(columns.length)}28px`
  return (
    <div className="linked-table" style={{ '--linked-tracks': tracks } as CSSProperties} aria-busy={!records}>
      {columns.length > 0 && (
        <div className="linked-header" aria-hidden>
          <span>{titleFieldOf(source)?.label}</span>
          {columns.map((field) => (
            <span key={field.id} data-align={uiOf(valueField(field)).align}>
              {field.label}
            </span>
          ))}
        </div>
      )}
      <ul className="linked-list" aria-label={label}>
        {records?.map((record) => (
          <LinkedRecord
            key={record.id}
            linking={linking}
            record={record}
            onUnlink={readOnly || !isWritable(source, relation, record) ? undefined : unlink}
          />
        )) ??
          known?.records.map(({ id, title }) => (
            <li key={id} className="linked-record">
              <span className="linked-title">{title || UNTITLED}</span>
            </li>
          ))}
      </ul>
    </div>
  )
}

type LinkedRecordProps = {
  readonly linking: Linking
  readonly record: RecordListItem
  readonly onUnlink: ((id: string, title: string) => void) | undefined
}

function LinkedRecord({ linking: { source, columns }, record, onUnlink }: LinkedRecordProps) {
  const title = recordTitle(source, record)
  return (
    <li className="linked-record">
      <AppLink href={recordPath(source.name, record.id)} className="linked-title">
        {title}
      </AppLink>
      {columns.map((field) => {
        const value = record.values[field.name]
        const isEmpty = isEmptyClientValue(field.kind, toClientValue(field.kind, value))
        return (
          <span key={field.id} className="linked-value" data-align={uiOf(valueField(field)).align} data-empty={isEmpty}>
            <span className="linked-label">{field.label}</span>
            {isEmpty ? (
              <span className="visually-hidden">{t('empty')}</span>
            ) : (
              <FieldCell field={field} value={value} />
            )}
          </span>
        )
      })}
      {onUnlink && (
        <ActionIcon
          size="sm"
          className="linked-unlink"
          onClick={() => onUnlink(record.id, title)}
          aria-label={t('Unlink {title}', { title })}
        >
          <IconX size={14} stroke={1.5} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

type LinkPickerProps = {
  readonly linking: Linking
  readonly label: string
}

/** Finds a record to link, or creates one that is linked. */
function LinkPicker({ linking, label }: LinkPickerProps) {
  const { source, relation, record } = linking
  const queryClient = useQueryClient()
  const { link: onLink } = useLinkChanges(linking)
  const search = useMemo(() => linkableSearch(queryClient, linking), [queryClient, linking])
  const mayLink = source.can.includes('records:update') && source.closed?.[relation.name]?.update !== 'wholly'
  const link = relation.options.many ? [record] : record
  const { create, dialog } = useCreateLinked(source.id, true, { [relation.name]: link })
  if (!mayLink) return null
  return (
    <div className="linked-picker">
      <SearchDropdown
        ariaLabel={t('Link a record to {label}', { label })}
        placeholder={create ? t('Link or create a record') : t('Link a record')}
        search={search}
        // The new record is already linked.
        onCreate={create && ((text) => Promise.resolve(create(text)).then(() => undefined))}
        value={null}
        onChange={(option) => option && onLink(option.value, option.label)}
      />
      {dialog}
    </div>
  )
}

function useLinkChanges(linking: Linking) {
  const queryClient = useQueryClient()
  const change = (id: string, isLinked: boolean, said: string) =>
    changeLink(queryClient, linking, id, isLinked).then(
      (before) =>
        notify.success(said, {
          action: {
            label: t('Undo'),
            run: () =>
              void restoreLink(queryClient, linking, id, before).then(
                undefined,
                notifyFailure(t('Couldn’t undo the change')),
              ),
          },
        }),
      notifyFailure(t('Couldn’t change the link')),
    )
  return {
    link: (id: string, title: string) => void change(id, true, t('{title} linked', { title })),
    unlink: (id: string, title: string) => void change(id, false, t('{title} unlinked', { title })),
  }
}
