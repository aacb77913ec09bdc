import { IconAlertCircle } from '#web/ui/icons/icon-alert-circle.ts'
import { IconAlertTriangle } from '#web/ui/icons/icon-alert-triangle.ts'
import { IconCircleCheck } from '#web/ui/icons/icon-circle-check.ts'
import { IconInfoCircle } from '#web/ui/icons/icon-info-circle.ts'
import type { ToastKind } from './toast-entries.ts'

/** What goes with the words of each kind, so that colour never speaks alone. */
export const TOAST_ICONS: Readonly<Record<ToastKind, typeof IconInfoCircle>> = {
  success: IconCircleCheck,
  error: IconAlertCircle,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
}
