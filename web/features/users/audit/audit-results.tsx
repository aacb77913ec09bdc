import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { describeAuditChange } from '#domain/audit/audit-changes.ts'
import { auditDetails, type AuditItem, auditSentence, isAlarming } from '#domain/audit/describe-audit.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { dateText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconSearch } from '#web/ui/icons/start.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import '../users.css'
import { type AuditFilter, auditQuery } from './audit-query.ts'

/** Keys of audit details with role or policy names, each paired with the key of the ids. */
const NAMES_AND_IDS = [
  ['name', 'role'],
  ['name', 'policy'],
  ['roles', 'role'],
  ['from', 'was'],
  ['to', 'is'],
] as const

const ABOUT_RULES = /^(?:role|policy)-|^invited$/

type DescribeRule = (rule: { readonly id: string; readonly name: string }) => { readonly name: string }

export function describeAuditEntry(item: AuditItem, say: DescribeRule = builtInText): AuditItem {
  if (!ABOUT_RULES.test(item.kind)) return item
  const details: { [name: string]: string } = { ...item.details }
  for (const [names, ids] of NAMES_AND_IDS) {
    const [called, meant] = [item.details[names], item.details[ids]]
    if (called !== undefined && meant !== undefined) details[names] = inWords(called, meant, say)
  }
  return { ...item, details }
}

/** Translates names by their ids; leaves them unchanged if a name contains the separator. */
function inWords(called: string, meant: string, say: DescribeRule): string {
  const [names, ids] = [called.split(', '), meant.split(' ')]
  if (names.length !== ids.length) return called
  return names.map((name, at) => say({ id: ids[at] ?? '', name }).name).join(', ')
}

function AuditList({ items }: { readonly items: readonly AuditItem[] }) {
  return (
    <ol className="audit">
      {items.map((item) => (
        <li key={item.id} className="audit-entry" data-alarming={isAlarming(item) || undefined}>
          <RelativeTime at={item.at} />
          <div className="audit-words">
            {auditSentence(item)}
            <div className="audit-details">{auditDetails(item)}</div>
            {item.changes.length > 0 && (
              <ul className="audit-changes">
                {item.changes.map((change, at) => (
                  <li key={at}>{describeAuditChange(change)}</li>
                ))}
              </ul>
            )}
          </div>
          <span className="audit-address tabular">
            {item.address === '' && item.user === null ? t('command line') : item.address}
          </span>
        </li>
      ))}
    </ol>
  )
}

type AuditResultsProps = { readonly requested: AuditFilter; readonly onShowAll: () => void }

export function AuditResults({ requested, onShowAll }: AuditResultsProps) {
  const { data, error, refetch, ...paging } = useInfiniteQuery(auditQuery(requested))
  if (!data) return error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <Loading />
  const items = data.pages.flatMap((page) => page.items.map((item) => describeAuditEntry(item)))
  const lookedBackTo = data.pages.at(-1)?.lookedBackTo ?? null
  return (
    <>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {items.length > 0 && <AuditList items={items} />}
      {items.length === 0 && lookedBackTo === null && (
        <EmptyState
          icon={IconSearch}
          text={t('No entries match your search.')}
          action={{ label: t('Show all entries'), onClick: onShowAll }}
        />
      )}
      {paging.hasNextPage && (
        <LoadOlder
          lookedBackTo={lookedBackTo}
          isBusy={paging.isFetchingNextPage}
          onLook={() => void paging.fetchNextPage()}
        />
      )}
    </>
  )
}

const Loading = () => <Skeleton height={320} radius="md" />

type LoadOlderProps = {
  /** How far back the text search has scanned. */
  readonly lookedBackTo: string | null
  readonly isBusy: boolean
  readonly onLook: () => void
}

function LoadOlder({ lookedBackTo, isBusy, onLook }: LoadOlderProps) {
  return (
    <div className="audit-more">
      {lookedBackTo !== null && (
        <p role="status">
          {t('Searched back to {day}.', { day: dateText(new Date(lookedBackTo), { dateStyle: 'long' }) })}
        </p>
      )}
      <Button loading={isBusy} onClick={onLook}>
        {lookedBackTo === null ? t('Show earlier entries') : t('Search earlier entries')}
      </Button>
    </div>
  )
}
