import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { AskRightsButton } from '#web/features/roles/ask-rights-button.tsx'
import { InviteDialog } from '#web/features/users/invite-dialog.tsx'
import { usersQuery } from '#web/features/users/users-queries.ts'
import { UsersList } from '#web/features/users/users-list.tsx'
import { IconUserPlus } from '#web/kit/icons/icon-user-plus.ts'
import { PageFrame } from './page-frame.tsx'
import { SettingsNav } from './section-nav.tsx'

/** Who may come in, and what they may do. */
export function UsersPage() {
  const { data, error, refetch } = useQuery(usersQuery)
  const [isInviting, setIsInviting] = useState(false)
  return (
    <PageFrame
      title="People"
      lead="Who may come in, and what they may do."
      width="middle"
      actions={
        data && (
          <>
            <AskRightsButton given={{}} />
            <Button
              variant="filled"
              leftSection={<IconUserPlus size={16} stroke={1.5} />}
              onClick={() => setIsInviting(true)}
            >
              Invite somebody
            </Button>
          </>
        )
      }
    >
      <SettingsNav />
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={180} radius="md" />}
      {data && <UsersList {...data} />}
      {isInviting && data && (
        <InviteDialog roles={data.roles} profileFields={data.profileFields} onClose={() => setIsInviting(false)} />
      )}
    </PageFrame>
  )
}
