import { Button, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { ExplainAccessButton } from '#web/features/roles/explain/explain-access-button.tsx'
import { InviteDialog } from '#web/features/users/invite-dialog.tsx'
import { NO_USER_FILTER, usersQuery } from '#web/features/users/users-queries.ts'
import { UserList } from '#web/features/users/user-list.tsx'
import { IconUserPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import { PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'

const DEBOUNCE_MS = 250

export function UsersPage() {
  const [filter, setFilter] = useState(NO_USER_FILTER)
  const [words] = useDebouncedValue(filter.words, DEBOUNCE_MS)
  const { data, error, refetch, ...paging } = useInfiniteQuery(usersQuery({ ...filter, words }))
  const [isInviting, setIsInviting] = useState(false)
  return (
    <PageFrame
      title={t('People')}
      lead={t('Manage members and access.')}
      width="middle"
      actions={
        (data || !error) && (
          <>
            <ExplainAccessButton given={{}} />
            <Button
              data-tour="invite"
              variant="filled"
              leftSection={<IconUserPlus size={16} stroke={1.5} />}
              onClick={() => setIsInviting(true)}
            >
              {t('Invite people')}
            </Button>
          </>
        )
      }
    >
      <SettingsNav />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={180} radius="md" />}
      {data && (
        <UserList
          pages={data.pages}
          filter={filter}
          onFilter={setFilter}
          onMore={paging.hasNextPage ? () => void paging.fetchNextPage() : undefined}
          isBusy={paging.isFetchingNextPage}
        />
      )}
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </PageFrame>
  )
}
