import { outlined } from './draw-icon.tsx'

/** “microscope” of Tabler. */
export const IconMicroscope = outlined(
  'M5 21h14M6 18h2M7 18v3M9 11l3 3l6 -6l-3 -3l-6 6M10.5 12.5l-1.5 1.5M17 3l3 3M12 21a6 6 0 0 0 3.715 -10.712',
)
