import type { ReactNode } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { AccessDeniedScreen } from '#web/pages/errors/access-denied-screen.tsx'

type RequirePermissionProps = { readonly permission: Permission; readonly children: ReactNode }

/** Shows a page to users with its permission, and an explanation to others. */
export function RequirePermission({ permission, children }: RequirePermissionProps) {
  return useCan(permission) ? children : <AccessDeniedScreen permission={permission} />
}
