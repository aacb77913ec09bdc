import { outlined } from './draw-icon.tsx'

/** “globe” of Tabler. */
export const IconGlobe = outlined('M7 9a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M5.75 15a8.015 8.015 0 1 0 9.25 -13M11 17v4M7 21h8')
