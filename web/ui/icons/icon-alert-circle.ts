import { outlined } from './draw-icon.tsx'

/** “alert-circle” of Tabler. */
export const IconAlertCircle = outlined('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 8v4M12 16h.01')
