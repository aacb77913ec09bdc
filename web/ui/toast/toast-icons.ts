import { IconAlertCircle, IconAlertTriangle } from '#web/ui/icons/start.ts'
import { IconInfoCircle } from '#web/ui/icons/general.ts'
import { IconCircleCheck } from '#web/ui/icons/later.ts'
import type { ToastKind } from './toast-entries.ts'

export const TOAST_ICONS: Readonly<Record<ToastKind, typeof IconInfoCircle>> = {
  success: IconCircleCheck,
  error: IconAlertCircle,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
}
