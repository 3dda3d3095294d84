import { uploadAdmissionContract } from '../contract/upload-admission.ts';
import { processTime } from '../testing/passing-time.ts';
import { MemoryUploadAdmission } from './memory-upload-admission.ts';

uploadAdmissionContract('of one process', (places) => new MemoryUploadAdmission(places), processTime);
