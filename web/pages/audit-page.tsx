import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { AuditList } from '#web/features/users/audit-list.tsx'
import { auditQuery } from '#web/features/users/users-queries.ts'
import { PageFrame } from './page-frame.tsx'
import { SettingsNav } from './section-nav.tsx'

/** What happened to accounts and sessions. */
export function AuditPage() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(auditQuery)
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <PageFrame
      title="Audit log"
      lead="Sign-ins, and everything that concerns accounts. It can be read, never changed."
      width="middle"
    >
      <SettingsNav />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!items && !error && <Skeleton height={320} radius="md" />}
      {items?.length === 0 && <p>Nothing has happened yet.</p>}
      {items && items.length > 0 && (
        <div>
          <AuditList items={items} />
          {hasNextPage && (
            <div className="audit-more">
              <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show earlier entries
              </Button>
            </div>
          )}
        </div>
      )}
    </PageFrame>
  )
}
