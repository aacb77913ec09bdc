import { outlined } from './draw-icon.tsx'

/** “upload” of Tabler. */
export const IconUpload = outlined('M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 9l5 -5l5 5M12 4l0 12')
