import { outlined } from './draw-icon.tsx'

/** “shield” of Tabler. */
export const IconShield = outlined(
  'M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1 -8.5 15a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3',
)
