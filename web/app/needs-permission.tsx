import type { ReactNode } from 'react'
import type { Permission } from '#domain/access/permission.ts'
import { useCan } from '#web/client/use-can.ts'
import { AccessDeniedScreen } from '#web/pages/forbidden-screen.tsx'

type RequirePermissionProps = { readonly permission: Permission; readonly children: ReactNode }

/** Shows a page only to those who hold its permission somewhere; others are told plainly. */
export function RequirePermission({ permission, children }: RequirePermissionProps) {
  return useCan(permission) ? children : <AccessDeniedScreen permission={permission} />
}
