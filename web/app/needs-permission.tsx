import type { ReactNode } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { useCan } from '#web/client/use-can.ts'
import { ForbiddenScreen } from '#web/pages/forbidden-screen.tsx'

type NeedsPermissionProps = { readonly permission: Permission; readonly children: ReactNode }

/** Shows a page only to those who hold its permission somewhere; others are told plainly. */
export function NeedsPermission({ permission, children }: NeedsPermissionProps) {
  return useCan(permission) ? children : <ForbiddenScreen permission={permission} />
}
