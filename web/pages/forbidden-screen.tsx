import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Permission } from '#domain/access/permission.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { IconLock } from '#web/kit/icons/icon-lock.ts'
import { MessageFrame } from './message-frame.tsx'

type ForbiddenScreenProps = { readonly permission: Permission }

/** What somebody sees who is signed in but may not open this page. */
export function ForbiddenScreen({ permission }: ForbiddenScreenProps) {
  usePageTitle('Not for you')
  return (
    <MessageFrame
      icon={IconLock}
      title="You may not open this page"
      actions={
        <Button component={Link} to={sessionConfig.routes.home} variant="filled">
          Go home
        </Button>
      }
    >
      None of your roles gives the permission it needs: <code>{permission}</code>. Ask an owner of this workspace if you
      should have it.
    </MessageFrame>
  )
}
